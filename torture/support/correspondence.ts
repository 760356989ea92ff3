/** One request with its complete response: status, headers and body as received. */
export interface Letter {
  what: string;
  status: number;
  headers: Headers;
  text: string;
  /** The credentials that this response is meant to show. */
  shows: Set<string>;
}

export interface Sending {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export const json = { 'content-type': 'application/json' };

/** Records every response, so that the end of the run can search them. */
export class Correspondence {
  readonly letters: Letter[] = [];
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  async send(path: string, { method = 'GET', headers = {}, body }: Sending = {}): Promise<Letter> {
    const response = await fetch(`${this.#origin}${path}`, {
      method,
      redirect: 'manual',
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const head = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    // An address may contain a secret, so the report shows only its beginning.
    const what = `${method} ${path.split('?')[0]?.split('/').slice(0, 4).join('/')} answered ${response.status}`;
    const letter = {
      what,
      status: response.status,
      headers: response.headers,
      text: `${head}\n\n${text}`,
      shows: new Set<string>(),
    };
    this.letters.push(letter);
    return letter;
  }

  /** Sends a request as the portal's pages send it. */
  ask(path: string, body?: unknown, cookie = '', headers: Record<string, string> = {}): Promise<Letter> {
    const own = { origin: this.#origin, ...(cookie ? { cookie } : {}), ...headers };
    if (body === undefined) return this.send(`/portal/api${path}`, { headers: own });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send(`/portal/api${path}`, { method: 'POST', headers: { ...json, ...own }, body: text });
  }
}

/** Returns the `data` of a JSON response. */
export const dataOf = <T>({ what, text }: Letter): T => {
  const body = text.slice(text.indexOf('\n\n') + 2);
  if (!body.startsWith('{"data"')) throw new Error(`${what}: ${body}`);
  return (JSON.parse(body) as { data: T }).data;
};

export const cookieOf = ({ headers }: Letter): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
