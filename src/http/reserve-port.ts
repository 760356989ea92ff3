import { once } from 'node:events';
import { createServer } from 'node:net';

export interface ReservedPort {
  port: number;
  /** Listen there right after: until then nobody else could have. */
  release(): Promise<void>;
}

/** Takes a port that the system gives, for whoever must know it before anything is ready to listen there. */
export async function reservePort(host: string): Promise<ReservedPort> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    async release() {
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}
