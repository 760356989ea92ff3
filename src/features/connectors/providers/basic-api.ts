import { createMessage, type Message } from '../../../domain/messages/message.ts';
import type { ProviderAbsence } from '../rules/map-record.ts';
import type { OpenOptions } from './connector.ts';
import { ConnectorError } from './connector-error.ts';
import { createHttpClient, type JsonResponse } from './http-client.ts';

/** What an API with Basic credentials has in common with others of its kind. */
export interface BasicApi {
  get(path: string): Promise<JsonResponse>;
  post(path: string, body: unknown): Promise<JsonResponse>;
  close(): Promise<void>;
}

export interface BasicApiOptions {
  title: string;
  origin: string;
  user: string;
  password: string;
  /** What to do when the credentials are refused. */
  remedy: Message;
}

/** Requests with Basic credentials. Throws if they are refused. */
export function createBasicApi(
  { title, origin, user, password, remedy }: BasicApiOptions,
  { signal, retryDelayMillis }: OpenOptions,
): BasicApi {
  const http = createHttpClient({ title, origin, signal, retryDelayMillis });
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const refuse = (response: JsonResponse) => {
    if (response.status === 401) throw new ConnectorError('credentials-refused', remedy);
    return response;
  };
  return {
    get: async (path) => refuse(await http.request({ method: 'GET', path, headers: { authorization } })),
    post: async (path, body) => {
      const headers = { authorization, 'content-type': 'application/json' };
      return refuse(await http.request({ method: 'POST', path, headers, body: JSON.stringify(body) }));
    },
    close: http.close,
  };
}

/** Returns the body of a successful response, and throws what any other means. */
export function takeBody(title: string, { status, body }: JsonResponse, missing: { message: Message }): unknown {
  if (status === 403) throw new ConnectorError('permission-missing', missing.message);
  if (status !== 200) {
    throw new ConnectorError('unexpected-response', createMessage('connector-status', { system: title, status }));
  }
  return body;
}

export type AbsencesByPerson = Map<string, ProviderAbsence[]>;

/** The day of a connection test, for which absences are requested. */
export const today = () => Temporal.Now.plainDateISO('UTC');
