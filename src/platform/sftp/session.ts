import { connect as connectSocket, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerHostKeyAlgorithm, SFTPWrapper } from 'ssh2';
import { createMessage, formatMessage, type Message, type MessageKey } from '../../domain/messages/message.ts';
import { lazyPackage } from '../lazy-package.ts';
import { AddressNotAllowedError, assertLiteralAllowed, createLookup } from '../outgoing/addresses.ts';
import { parseHostKey } from './host-key.ts';

export interface SftpServer {
  host: string;
  port?: number | undefined;
  user: string;
  /** Either this or a private key. */
  password?: string | undefined;
  privateKey?: string | undefined;
  /** As `parseHostKey` reads it. */
  hostKey: string;
}

export interface SftpOptions {
  /** Whether the server may have a private address. */
  allowsPrivateHosts: boolean;
  /** Ends everything that waits. */
  signal: AbortSignal;
  /** How long connecting and signing in may take. Tests shorten it. */
  connectMillis?: number | undefined;
}

/** Why a server cannot be worked with, without credentials. */
export class SftpError extends Error {
  readonly code: 'incomplete' | 'unreachable' | 'credentials-refused' | 'permission-missing' | 'unexpected-response';
  readonly explanation: Message;

  constructor(code: SftpError['code'], explanation: Message) {
    super(formatMessage(explanation));
    this.name = 'SftpError';
    this.code = code;
    this.explanation = explanation;
  }
}

const defaultConnectMillis = 15_000;
const operationMillis = 120_000;

const ssh2 = lazyPackage<typeof import('ssh2')>('ssh2');

/** The codes of errors in the protocol. */
export const sftpCodes = () => ssh2().utils.sftp.STATUS_CODE;

export const incomplete = (what: Extract<MessageKey, `file-${string}`>, values: Record<string, string | number>) =>
  new SftpError('incomplete', createMessage('sftp-incomplete', { what, ...values }));

/** Connects to the address that was checked, whatever the resolver says later. The limit is for connecting only. */
async function openSocket({ host, port = 22 }: SftpServer, options: SftpOptions): Promise<Socket> {
  const { allowsPrivateHosts, signal, connectMillis = defaultConnectMillis } = options;
  const rules = { allowPrivate: allowsPrivateHosts };
  try {
    assertLiteralAllowed(host, rules);
    const socket = connectSocket({
      host,
      port,
      noDelay: true,
      lookup: createLookup(rules),
      signal,
    });
    const late = setTimeout(() => socket.destroy(new Error('no answer')), connectMillis);
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve).once('error', reject);
      });
    } finally {
      clearTimeout(late);
    }
    return socket;
  } catch (error) {
    signal.throwIfAborted();
    throw new SftpError('unreachable', describeUnreachable(error, host));
  }
}

function describeUnreachable(error: unknown, host: string): Message {
  if (error instanceof AddressNotAllowedError) return createMessage('sftp-private', { host });
  const { code } = error as { code?: string };
  if (code === undefined) return createMessage('sftp-no-answer', { host });
  return createMessage('sftp-unreachable', { host, error: code });
}

function describeSignIn(error: unknown, host: string, isOtherKey: boolean): SftpError {
  if (isOtherKey) return new SftpError('unexpected-response', createMessage('sftp-host-key', { host }));
  const text = error instanceof Error ? error.message : '';
  if (/authentication methods failed|privateKey|passphrase/i.test(text)) {
    return new SftpError('credentials-refused', createMessage('sftp-refused', { host }));
  }
  return new SftpError('unreachable', createMessage('sftp-ended-sign-in', { host }));
}

export interface SftpSession {
  sftp: SFTPWrapper;
  sock: Socket;
}

/** Signs in to a server that shows the known key. The caller destroys the socket. */
export async function signIn(server: SftpServer, options: SftpOptions): Promise<SftpSession> {
  const { host, user, password, privateKey, hostKey } = server;
  const known = parseHostKey(hostKey);
  const sock = await openSocket(server, options);
  const { connectMillis = defaultConnectMillis } = options;
  const client = new (ssh2().Client)();
  const late = setTimeout(() => sock.destroy(), connectMillis);
  let isOtherKey = false;
  try {
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      client.once('ready', () => client.sftp((error, opened) => (error ? reject(error) : resolve(opened))));
      // An error after the sign-in fails the operation in progress too.
      client.on('error', reject).once('close', () => reject(new Error('closed')));
      client.connect({
        sock,
        username: user,
        ...(password === undefined ? {} : { password }),
        ...(privateKey === undefined ? {} : { privateKey: `${privateKey}\n` }),
        ...(known?.algorithms && { algorithms: { serverHostKey: known.algorithms as ServerHostKeyAlgorithm[] } }),
        readyTimeout: connectMillis,
        hostVerifier: (key: Buffer) => {
          isOtherKey = known?.matches(key) !== true;
          return !isOtherKey;
        },
      });
    });
    // What is no SFTP at all ends the connection, and so the operation in progress.
    sftp.on('error', () => sock.destroy());
    return { sftp, sock };
  } catch (error) {
    sock.destroy();
    options.signal.throwIfAborted();
    // A server without a key of the pinned kind ends the negotiation.
    const hasNoSuchKey = error instanceof Error && /no matching host key/i.test(error.message);
    throw describeSignIn(error, host, isOtherKey || hasNoSuchKey);
  } finally {
    clearTimeout(late);
  }
}

/** Waits for an operation with a limit of time, and names what a server refuses. */
export async function withinTime<T>(
  operation: Promise<T>,
  path: string,
  signal: AbortSignal,
  forbidden: 'sftp-forbidden' | 'sftp-write-forbidden' = 'sftp-forbidden',
): Promise<T> {
  const timer = new AbortController();
  const late = sleep(operationMillis, undefined, { signal: timer.signal }).then(
    () => Promise.reject(incomplete('file-slow', { path })),
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([operation, late]);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SftpError) throw error;
    const { code } = error as { code?: string | number };
    if (code === sftpCodes().PERMISSION_DENIED) {
      throw new SftpError('permission-missing', createMessage(forbidden, { path }));
    }
    if (code === sftpCodes().NO_SUCH_FILE) throw incomplete('file-no-path', { path });
    throw new SftpError('unreachable', createMessage('sftp-ended', { path }));
  } finally {
    timer.abort();
  }
}
