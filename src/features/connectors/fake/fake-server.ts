import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A real HTTP server on loopback that behaves like the API of an HR system, for the demo and for tests. */
export interface FakeServer {
  origin: string;
  close(): Promise<void>;
}

export interface FakeRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
  /** How many requests came before this one. */
  index: number;
}

export interface FakeResponse {
  status: number;
  /** An object is sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** What goes wrong instead of a response, or with the one that would have been sent. */
export type Fault =
  /** The connection is cut before, or in the middle of, the response. */
  | 'cut'
  | 'cut-body'
  /** Complete, but not JSON as announced. */
  | 'damaged-json'
  | 'html'
  | FakeResponse
  /** Changes the response. */
  | ((response: FakeResponse) => FakeResponse);

export interface FakeServerOptions {
  answer(request: FakeRequest): FakeResponse;
  /** Decides about each request, at once or later. Undefined: nothing goes wrong. */
  fault?: ((request: FakeRequest) => Fault | undefined | Promise<Fault | undefined>) | undefined;
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function send(reply: ServerResponse, { status, body, headers }: FakeResponse): void {
  const isText = typeof body === 'string';
  const text = isText ? body : JSON.stringify(body ?? {});
  const type = isText ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
  reply.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text), ...headers });
  reply.end(text);
}

function sendFaulty(reply: ServerResponse, response: FakeResponse, fault: Fault): void {
  if (fault === 'cut') reply.socket?.destroy();
  else if (fault === 'html') send(reply, { status: 200, body: '<html><body>Maintenance</body></html>' });
  else if (fault === 'damaged-json') {
    const text = JSON.stringify(response.body ?? {});
    reply.writeHead(200, { 'content-type': 'application/json' });
    reply.end(text.slice(0, Math.floor(text.length / 2)));
  } else if (fault === 'cut-body') {
    const text = JSON.stringify(response.body ?? {});
    reply.writeHead(response.status, { 'content-type': 'application/json', 'content-length': text.length + 10 });
    reply.write(text.slice(0, Math.floor(text.length / 2)), () => reply.socket?.destroy());
  } else if (typeof fault === 'function') send(reply, fault(response));
  else send(reply, fault);
}

/** Starts the server on a free port. It does not keep the process running. */
export async function startFakeServer({ answer, fault }: FakeServerOptions): Promise<FakeServer> {
  let index = 0;
  const server = createServer(async (message, reply) => {
    const { pathname, searchParams } = new URL(message.url ?? '/', 'http://localhost');
    const { method = 'GET', headers } = message;
    const request = { method, path: pathname, query: searchParams, headers, body: await readBody(message), index };
    index += 1;
    try {
      const broken = await fault?.(request);
      if (broken === undefined) send(reply, answer(request));
      else sendFaulty(reply, answer(request), broken);
    } catch {
      // Without a response, the client would wait for its time limit.
      send(reply, { status: 400, body: { error: 'The fake does not understand this request.' } });
    }
  });
  server.unref();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
