import type { Random } from '../../../src/demo/random.ts';

/** Whether these statuses, in this order, are a correct response to a message. The connection is closed after them. */
type Rule = (statuses: number[]) => boolean;

export interface WireMessage {
  family: string;
  /** The bytes as sent, one character per byte. */
  bytes: string;
  /** Sent once the first bytes of a response have arrived. */
  later?: string;
  isRight: Rule;
  /** How many responses to expect before the client closes the connection. If absent, the service closes it. */
  answers?: number;
}

/** The parts from which messages are built. */
export interface Parts {
  random: Random;
  /** The header lines that authenticate a request, each with its line end. */
  credentials: string;
  /** A complete request that must never be executed. It would store a roster. */
  hidden: string;
}

export type Family = (parts: Parts) => Omit<WireMessage, 'family'>;

const is4xx = (status: number | undefined) => status !== undefined && status >= 400 && status < 500;
export const refused: Rule = (statuses) => statuses.length === 1 && is4xx(statuses[0]);
export const exactly =
  (...wanted: number[]): Rule =>
  (statuses) =>
    statuses.join() === wanted.join();
export const either =
  (...rules: Rule[]): Rule =>
  (statuses) =>
    rules.some((rule) => rule(statuses));
/** The valid request before the mistake may get its response or none. The mistake is refused once. */
export const refusedAfter = (status: number): Rule =>
  either(refused, exactly(status), ([first, ...rest]) => first === status && refused(rest));
export const nothing: Rule = (statuses) => statuses.length === 0;
export const unbroken: Rule = (statuses) => statuses.every((status) => status < 500);

export const crlf = '\r\n';
/** Sent after messages that are unusual but valid. Its response shows that they ended where they should. */
export const last = `GET /v1/health HTTP/1.1${crlf}Host: localhost${crlf}Connection: close${crlf}${crlf}`;
export const chunk = (text: string) => `${text.length.toString(16)}${crlf}${text}${crlf}`;

export const get = ({ credentials }: Parts, lines: string, line = 'GET /v1/me HTTP/1.1') =>
  `${line}${crlf}Host: localhost${crlf}${credentials}${lines}${crlf}`;

/** The head is refused, and nothing after it is read as a request. */
export const badHead = (parts: Parts, lines: string, line?: string) => ({
  bytes: `${get(parts, lines, line)}${parts.hidden}`,
  isRight: refused,
});

/** The head is valid, the body is not. */
export const badBody = (parts: Parts, body: string) => ({
  bytes: `${get(parts, `Transfer-Encoding: chunked${crlf}`)}${body}${parts.hidden}`,
  isRight: refusedAfter(200),
});

/** The message is unusual but valid. */
export const fine = (message: string, status = 200) => ({ bytes: `${message}${last}`, isRight: exactly(status, 204) });
