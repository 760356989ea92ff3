import { once } from 'node:events';
import { createServer } from 'node:net';

export interface ReservedPort {
  port: number;
  /** Frees the port. Listen on it immediately afterwards: until this call, no other process can. */
  release(): Promise<void>;
}

/** Reserves a port for callers that need it before they can listen. Port 0: the system chooses a free one. */
export async function reservePort(host: string, wanted: number): Promise<ReservedPort> {
  const server = createServer((socket) => socket.destroy()).listen(wanted, host);
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
