import { once } from 'node:events';
import { connect } from 'node:net';

export interface Timed {
  status: number;
  microseconds: number;
}

/** Times requests on one open connection. Only the response itself lies between the two readings of the clock. */
export interface Stopwatch {
  time(request: Buffer): Promise<Timed>;
  close(): void;
}

const headEnd = Buffer.from('\r\n\r\n');

/** Returns the total length of the response in bytes as soon as its head is complete. */
function lengthOf(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return undefined;
  const length = /^content-length: *(\d+)/im.exec(bytes.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error(`A response without a length: ${bytes.toString('latin1', 0, end)}`);
  return end + headEnd.length + Number(length);
}

export async function openStopwatch(address: string): Promise<Stopwatch> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let waiting: PromiseWithResolvers<Timed> | undefined;
  let received: Buffer = Buffer.alloc(0);
  let begun = 0n;
  socket.on('data', (chunk: Buffer) => {
    const now = process.hrtime.bigint();
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const length = lengthOf(received);
    if (length === undefined || received.length < length) return;
    const status = Number(received.toString('latin1', 9, 12));
    received = Buffer.alloc(0);
    waiting?.resolve({ status, microseconds: Number(now - begun) / 1_000 });
  });
  const fail = (error?: Error) => waiting?.reject(error ?? new Error('The connection was closed.'));
  socket.on('error', fail).on('close', () => fail());
  return {
    time(request) {
      waiting = Promise.withResolvers();
      begun = process.hrtime.bigint();
      socket.write(request);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}

/** Returns the bytes of one request. */
export function requestBytes(lines: string[], body = ''): Buffer {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return Buffer.from(`${[...lines, 'Host: localhost', ...length].join('\r\n')}\r\n\r\n${body}`);
}
