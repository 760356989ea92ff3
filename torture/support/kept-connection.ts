import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';

export interface Errand {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** The only expected status. */
  status: number;
}

/** How a request ended. `without an answer`: not even the beginning of a response arrived. */
export type Ending = 'answered' | 'wrong status' | 'torn' | 'without an answer' | 'refused';

export interface Outcome {
  ending: Ending;
  /** When the head had been sent, by `performance.now()`. Infinite if it never was. */
  headSentAt: number;
  /** What is known about a failure. */
  detail: string;
}

/** One connection, reused from request to request as long as the service keeps it open. */
export class KeptConnection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  async run({ method, path, headers, body, status }: Errand): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    let headSentAt = Number.POSITIVE_INFINITY;
    const end = (ending: Ending, detail: unknown = '') =>
      resolve({ ending, headSentAt, detail: `${method} ${path} ${detail}` });
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = httpRequest(
      new URL(path, this.#origin),
      { method, agent: this.#agent, headers: { ...headers, ...length } },
      (response: IncomingMessage) => {
        response.on('end', () => {
          if (!response.complete) end('torn');
          else if (response.statusCode === status) end('answered');
          else end('wrong status', response.statusCode);
        });
        response.on('error', (error) => end('torn', error));
        response.resume();
      },
    );
    request.on('error', (error: NodeJS.ErrnoException) =>
      end(error.code === 'ECONNREFUSED' ? 'refused' : 'without an answer', error),
    );
    const noteHead = () => {
      headSentAt = performance.now();
    };
    if (body === undefined) request.end(noteHead);
    else {
      // The first piece is sent together with the head.
      request.write(body.slice(0, 1_024), noteHead);
      request.end(body.slice(1_024));
    }
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}
