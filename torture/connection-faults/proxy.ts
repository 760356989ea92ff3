import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What happens to bytes: forwarded, forwarded late and in pieces, or dropped. `refuse` accepts no new connections. */
type Mode = 'pass' | 'slow' | 'black hole' | 'refuse';

interface Link {
  service: Socket;
  database: Socket;
  /** Set once bytes were dropped for good. Lost bytes cannot be recovered, so the connection stays dead. */
  isDead: boolean;
  /** Since when the database has sent every response and has no open transaction. Infinite while it has not. */
  idleSince: number;
}

/** ReadyForQuery outside of a transaction: the last message a server sends before it waits. */
const readyIdle = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
/** A client that sends nothing for this long has returned the connection to its pool and holds no lock on it. */
const idleMs = 300;
const slowMs = 60;
const slowPieces = 3;

async function forward(to: Socket, bytes: Buffer, isSlow: boolean): Promise<void> {
  const size = isSlow ? Math.ceil(bytes.length / slowPieces) : bytes.length;
  for (let at = 0; at < bytes.length && !to.destroyed; at += size) {
    if (isSlow) await sleep(slowMs);
    if (!to.write(bytes.subarray(at, at + size))) await Promise.race([once(to, 'drain'), once(to, 'close')]);
  }
}

export type DatabaseProxy = Awaited<ReturnType<typeof openProxy>>;

/** Opens a proxy between the service and its database that can cut, slow down or drop traffic. */
export async function openProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const links = new Set<Link>();
  let mode: Mode = 'pass';

  async function relay(link: Link, from: Socket, to: Socket): Promise<void> {
    try {
      for await (const bytes of from) {
        const isReady = from === link.database && bytes.subarray(-readyIdle.length).equals(readyIdle);
        link.idleSince = isReady ? Date.now() : Infinity;
        if (!link.isDead) await forward(to, bytes, mode === 'slow');
      }
    } catch {
      // The code below closes the other side.
    }
    if (!link.isDead) to.destroy();
  }

  const server = createServer({ allowHalfOpen: true }, (service) => {
    const database = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true });
    const link = { service, database, isDead: mode === 'black hole', idleSince: Infinity };
    links.add(link);
    for (const socket of [service, database]) {
      socket.setNoDelay(true).on('error', () => {});
      socket.on('close', () => {
        if (service.destroyed && database.destroyed) links.delete(link);
      });
    }
    relay(link, service, database);
    relay(link, database, service);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  function reset(): void {
    for (const { service, database } of links) {
      service.resetAndDestroy();
      database.resetAndDestroy();
    }
  }

  return {
    // Without the longer time for connecting that tests allow.
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(port), search: '' }).href,
    reset,
    /** Sets the mode for some time, for open connections too. Connections that a black hole has dropped stay dead. */
    async during(fault: Mode, seconds: number): Promise<void> {
      mode = fault;
      if (fault === 'black hole') for (const link of links) link.isDead = true;
      if (fault === 'refuse') {
        reset();
        server.close();
      }
      await sleep(seconds * 1_000);
      if (fault === 'refuse') await once(server.listen(port, '127.0.0.1'), 'listening');
      mode = 'pass';
    },
    /** Ends connections on one side without notifying the other side. */
    halfOpen(ended: 'service' | 'database', which: 'all' | 'idle'): void {
      for (const link of links) {
        if (which === 'idle' && Date.now() - link.idleSince < idleMs) continue;
        link.isDead = true;
        link[ended].destroy();
      }
    },
    async close(): Promise<void> {
      reset();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}
