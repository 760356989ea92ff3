import { HttpClient, type HttpRequest, type HttpResponse, portalRequest } from './http-client.ts';

/** A complete response: status, headers and body as received. */
export interface RecordedResponse extends HttpResponse {
  /** The request without anything that may be secret, and the status. */
  description: string;
  text: string;
  body: string;
  /** The credentials that this response is meant to show. */
  shows: Set<string>;
}

/** Records every response, so that the end of the run can search them. */
export class RecordingClient extends HttpClient {
  readonly responses: RecordedResponse[] = [];

  async record(path: string, request: Omit<HttpRequest, 'path'> = {}): Promise<RecordedResponse> {
    const response = await this.send({ path, ...request });
    const body = response.bytes.toString();
    const head = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`);
    // An address may contain a secret, so the description has only its beginning.
    const place = path.split('?')[0]?.split('/').slice(0, 4).join('/');
    const description = `${request.method ?? 'GET'} ${place} returned ${response.status}`;
    const text = `${head.join('\n')}\n\n${body}`;
    const recorded = { ...response, description, body, text, shows: new Set<string>() };
    this.responses.push(recorded);
    return recorded;
  }

  portal(path: string, body?: object | string, cookie = '', more: HttpRequest['headers'] = {}) {
    const { path: whole, headers, ...request } = portalRequest(this.origin, path, body, cookie);
    return this.record(whole, { ...request, headers: { ...headers, ...more } });
  }
}

export function readData<T>({ description, body }: RecordedResponse): T {
  if (!body.startsWith('{"data"')) throw new Error(`${description}: ${body}`);
  return JSON.parse(body).data as T;
}
