import { generateKeyPairSync } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import { posix } from 'node:path';
import ssh2 from 'ssh2';

const { Server, utils } = ssh2;
const { STATUS_CODE, OPEN_MODE } = utils.sftp;

interface StoredFile {
  content: Buffer;
  modifiedAt: number;
  isReadable: boolean;
  /** What the server says about its size. */
  announcedBytes: number;
}

export interface FakeSftp {
  port: number;
  /** A line as `ssh-keyscan` prints it. */
  hostKey: string;
  files: Map<string, StoredFile>;
  write(
    path: string,
    content: string | Buffer,
    options?: { hoursAgo?: number; isReadable?: boolean; announcedBytes?: number },
  ): void;
  /** Folders in which files may be written and renamed. */
  writable: Set<string>;
  /** Called before and after a file gets another name. `cut` ends the connection instead of answering. */
  onRename: ((path: string, when: 'before' | 'after') => 'cut' | undefined | Promise<undefined>) | undefined;
  /** Called before each read of a part of a file. `cut` ends the connection, `garbage` sends what is not SFTP. */
  onRead: ((path: string, count: number) => 'cut' | 'garbage' | undefined | Promise<void>) | undefined;
  close(): Promise<void>;
}

export const sftpUser = { user: 'roster', password: 'sftp-secret' };

const newHostKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey;

type Sftp = ssh2.SFTPWrapper;

/** Sends bytes where the client expects a packet. */
function sendRaw(sftp: Sftp, bytes: Buffer): void {
  const { _protocol: protocol, outgoing } = sftp as unknown as {
    _protocol: { channelData(id: number, bytes: Buffer): void };
    outgoing: { id: number };
  };
  protocol.channelData(outgoing.id, bytes);
}

/** Serves files in memory to one client, which may write to some folders. */
function serve(
  sftp: Sftp,
  fake: Pick<FakeSftp, 'files' | 'writable'> & {
    isCut: (path: string, sftp: Sftp) => Promise<boolean>;
    isRenameCut: (path: string, when: 'before' | 'after') => Promise<boolean>;
  },
): void {
  const handles = new Map<number, { path: string; listed: number }>();
  let next = 0;
  const open = (path: string) => {
    handles.set(next, { path, listed: 0 });
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(next++);
    return handle;
  };
  const isFolder = (path: string) =>
    fake.writable.has(path) || [...fake.files.keys()].some((name) => posix.dirname(name) === path);
  const mayWrite = (path: string) => fake.writable.has(posix.dirname(path));
  const attributesOf = ({ announcedBytes, modifiedAt }: StoredFile) => {
    const seconds = Math.floor(modifiedAt / 1000);
    return { mode: 0o100644, uid: 0, gid: 0, size: announcedBytes, atime: seconds, mtime: seconds };
  };
  const stat = (id: number, path: string) => {
    const file = fake.files.get(path);
    if (file !== undefined) sftp.attrs(id, attributesOf(file));
    else if (isFolder(path)) sftp.attrs(id, { mode: 0o040755, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 });
    else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
  };
  sftp.on('STAT', stat);
  sftp.on('LSTAT', stat);
  sftp.on('REALPATH', (id, path) => {
    const attrs = { mode: 0, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 };
    sftp.name(id, [{ filename: posix.resolve('/', path), longname: path, attrs }]);
  });
  sftp.on('OPENDIR', (id, path) =>
    isFolder(path) ? sftp.handle(id, open(path)) : sftp.status(id, STATUS_CODE.NO_SUCH_FILE),
  );
  sftp.on('READDIR', (id, handle) => {
    const folder = handles.get(handle.readUInt32BE(0));
    if (folder === undefined) return void sftp.status(id, STATUS_CODE.EOF);
    const all = [...fake.files].filter(([name]) => posix.dirname(name) === folder.path);
    // As OpenSSH does.
    const names = all.slice(folder.listed, folder.listed + 100);
    folder.listed += names.length;
    if (names.length === 0) return void sftp.status(id, STATUS_CODE.EOF);
    sftp.name(
      id,
      names.map(([name, file]) => {
        const filename = posix.basename(name);
        return { filename, longname: `-rw-r--r-- 1 r r ${file.content.length} ${filename}`, attrs: attributesOf(file) };
      }),
    );
  });
  sftp.on('OPEN', (id, path, flags) => {
    const file = fake.files.get(path);
    if (flags !== OPEN_MODE.READ && !isFolder(posix.dirname(path))) sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    else if (flags !== OPEN_MODE.READ && mayWrite(path)) {
      const empty = { content: Buffer.alloc(0), modifiedAt: Date.now(), isReadable: true, announcedBytes: 0 };
      fake.files.set(path, empty);
      sftp.handle(id, open(path));
    } else if (flags !== OPEN_MODE.READ || file?.isReadable === false) sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
    else if (file === undefined) sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    else sftp.handle(id, open(path));
  });
  sftp.on('FSTAT', (id, handle) => stat(id, handles.get(handle.readUInt32BE(0))?.path ?? ''));
  sftp.on('READ', async (id, handle, offset, length) => {
    const path = handles.get(handle.readUInt32BE(0))?.path ?? '';
    if (await fake.isCut(path, sftp)) return;
    const part = fake.files.get(path)?.content.subarray(offset, offset + length);
    if (part === undefined || part.length === 0) sftp.status(id, STATUS_CODE.EOF);
    else sftp.data(id, part);
  });
  sftp.on('WRITE', (id, handle, offset, data) => {
    const file = fake.files.get(handles.get(handle.readUInt32BE(0))?.path ?? '');
    if (file === undefined) return void sftp.status(id, STATUS_CODE.FAILURE);
    file.content = Buffer.concat([file.content.subarray(0, offset), data]);
    file.announcedBytes = file.content.length;
    sftp.status(id, STATUS_CODE.OK);
  });
  sftp.on('FSETSTAT', (id) => sftp.status(id, STATUS_CODE.OK));
  sftp.on('RENAME', async (id, from, to) => {
    if (await fake.isRenameCut(to, 'before')) return;
    const file = fake.files.get(from);
    if (file === undefined) return void sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    // As OpenSSH does.
    if (fake.files.has(to)) return void sftp.status(id, STATUS_CODE.FAILURE);
    fake.files.delete(from);
    fake.files.set(to, file);
    if (await fake.isRenameCut(to, 'after')) return;
    sftp.status(id, STATUS_CODE.OK);
  });
  sftp.on('REMOVE', (id, path) => {
    const code = mayWrite(path) ? STATUS_CODE.OK : STATUS_CODE.PERMISSION_DENIED;
    sftp.status(id, code === STATUS_CODE.OK && !fake.files.delete(path) ? STATUS_CODE.NO_SUCH_FILE : code);
  });
  sftp.on('CLOSE', (id, handle) => {
    handles.delete(handle.readUInt32BE(0));
    sftp.status(id, STATUS_CODE.OK);
  });
}

/** Starts a real SSH server on loopback with files in memory. */
export async function startFakeSftp(): Promise<FakeSftp> {
  const key = newHostKey();
  const parsed = utils.parseKey(key);
  if (parsed instanceof Error) throw parsed;
  const files: FakeSftp['files'] = new Map();
  const writable: FakeSftp['writable'] = new Set();
  const clients = new Set<ssh2.Connection>();
  let reads = 0;
  const server = new Server({ hostKeys: [key] }, (client) => {
    clients.add(client);
    // Otherwise every response waits 40 ms for the acknowledgement of the one before.
    (client as unknown as { _sock: Socket })._sock.setNoDelay(true);
    client.on('error', () => {});
    client.on('close', () => clients.delete(client));
    client.on('authentication', (context) => {
      const { user, password } = sftpUser;
      if (context.method === 'password' && context.username === user && context.password === password) context.accept();
      else context.reject(['password']);
    });
    client.on('session', (accept) => {
      accept().on('sftp', (acceptSftp) => {
        const isCut = async (path: string, sftp: Sftp) => {
          const fault = await fake.onRead?.(path, reads++);
          if (fault === 'cut') client.end();
          if (fault === 'garbage') sendRaw(sftp, Buffer.alloc(100, 0x7f));
          return fault !== undefined;
        };
        const isRenameCut = async (path: string, when: 'before' | 'after') => {
          const isCut = (await fake.onRename?.(path, when)) === 'cut';
          if (isCut) client.end();
          return isCut;
        };
        serve(acceptSftp(), { files, writable, isCut, isRenameCut });
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const fake: FakeSftp = {
    port: (server.address() as AddressInfo).port,
    hostKey: `127.0.0.1 ssh-rsa ${parsed.getPublicSSH().toString('base64')}`,
    files,
    writable,
    write(path, given, { hoursAgo = 1, isReadable = true, announcedBytes } = {}) {
      const content = Buffer.from(given);
      const modifiedAt = Date.now() - hoursAgo * 3_600_000;
      files.set(path, { content, modifiedAt, isReadable, announcedBytes: announcedBytes ?? content.length });
    },
    onRename: undefined,
    onRead: undefined,
    async close() {
      for (const client of clients) client.end();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
  return fake;
}
