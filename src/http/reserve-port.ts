import { once } from 'node:events';
import { createServer } from 'node:net';

export interface ReservedPort {
  port: number;
  /** Frees the port. Listen on it immediately afterwards: until this call, no other process can. */
  release(): Promise<void>;
}

/**
 * Reserves a free port of the operating system, for callers that need the port number before they are ready to listen.
 */
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
