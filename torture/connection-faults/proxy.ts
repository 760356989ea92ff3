import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
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

/** A proxy between the service and its database that can cut, slow down or drop traffic. */
export class DatabaseProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #port: number;
  readonly #links = new Set<Link>();
  #mode: Mode = 'pass';

  private constructor(server: Server, target: URL) {
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.url = Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(this.#port) }).href;
    server.on('connection', (service) => this.#open(service, target));
  }

  static async open(databaseUrl: string): Promise<DatabaseProxy> {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new DatabaseProxy(server, new URL(databaseUrl));
  }

  /** Sets the mode for some time, for open connections too. Connections that a black hole has dropped stay dead. */
  async during(mode: Mode, seconds: number): Promise<void> {
    this.#mode = mode;
    if (mode === 'black hole') for (const link of this.#links) link.isDead = true;
    if (mode === 'refuse') {
      this.reset();
      this.#server.close();
    }
    await sleep(seconds * 1_000);
    if (mode === 'refuse') await once(this.#server.listen(this.#port, '127.0.0.1'), 'listening');
    this.#mode = 'pass';
  }

  /** Ends every connection with an RST on both sides. */
  reset(): void {
    for (const { service, database } of this.#links) {
      service.resetAndDestroy();
      database.resetAndDestroy();
    }
  }

  /** Ends connections on one side without notifying the other side. */
  halfOpen(ended: 'service' | 'database', which: 'all' | 'idle'): void {
    for (const link of this.#links) {
      if (which === 'idle' && Date.now() - link.idleSince < idleMs) continue;
      link.isDead = true;
      link[ended].destroy();
    }
  }

  async close(): Promise<void> {
    this.reset();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  #open(service: Socket, target: URL): void {
    const database = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true });
    const link = { service, database, isDead: this.#mode === 'black hole', idleSince: Infinity };
    this.#links.add(link);
    for (const socket of [service, database]) {
      socket.setNoDelay(true).on('error', () => {});
      socket.on('close', () => {
        if (service.destroyed && database.destroyed) this.#links.delete(link);
      });
    }
    this.#relay(link, service, database);
    this.#relay(link, database, service);
  }

  async #relay(link: Link, from: Socket, to: Socket): Promise<void> {
    try {
      for await (const bytes of from) {
        const isReady = from === link.database && bytes.subarray(-readyIdle.length).equals(readyIdle);
        link.idleSince = isReady ? Date.now() : Infinity;
        if (link.isDead) continue;
        const isSlow = this.#mode === 'slow';
        const size = isSlow ? Math.ceil(bytes.length / slowPieces) : bytes.length;
        for (let at = 0; at < bytes.length && !to.destroyed; at += size) {
          if (isSlow) await sleep(slowMs);
          if (!to.write(bytes.subarray(at, at + size))) await Promise.race([once(to, 'drain'), once(to, 'close')]);
        }
      }
    } catch {
      // The code below closes the other side.
    }
    if (!link.isDead) to.destroy();
  }
}
