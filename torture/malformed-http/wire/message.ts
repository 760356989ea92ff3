import type { Random } from '../../../src/demo/random.ts';

/** Whether these statuses, in this order, are a right answer to a message, after which the connection is closed. */
type Rule = (statuses: number[]) => boolean;

export interface WireMessage {
  family: string;
  /** As it goes over the wire, a character a byte. */
  bytes: string;
  /** Sent once the first bytes of an answer have come. */
  later?: string;
  isRight: Rule;
  /** How many answers come before nothing more is to be expected; the service closes the connection otherwise. */
  answers?: number;
}

/** What messages are made of. */
export interface Parts {
  random: Random;
  /** The lines of a head that let a request in, each with its end. */
  credentials: string;
  /** A whole request that must never be carried out: it would leave a roster behind. */
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
/** The request before what is wrong may be answered as such or not at all, what is wrong is refused once. */
export const refusedAfter = (status: number): Rule =>
  either(refused, exactly(status), ([first, ...rest]) => first === status && refused(rest));
export const nothing: Rule = (statuses) => statuses.length === 0;
export const unbroken: Rule = (statuses) => statuses.every((status) => status < 500);

export const crlf = '\r\n';
/** Comes after messages that are merely odd: its answer shows that they ended where they should. */
export const last = `GET /v1/health HTTP/1.1${crlf}Host: localhost${crlf}Connection: close${crlf}${crlf}`;
export const chunk = (text: string) => `${text.length.toString(16)}${crlf}${text}${crlf}`;

export const get = ({ credentials }: Parts, lines: string, line = 'GET /v1/me HTTP/1.1') =>
  `${line}${crlf}Host: localhost${crlf}${credentials}${lines}${crlf}`;

/** The head is refused, and nothing of what follows is read as a request. */
export const badHead = (parts: Parts, lines: string, line?: string) => ({
  bytes: `${get(parts, lines, line)}${parts.hidden}`,
  isRight: refused,
});

/** The head is fine, the body is not. */
export const badBody = (parts: Parts, body: string) => ({
  bytes: `${get(parts, `Transfer-Encoding: chunked${crlf}`)}${body}${parts.hidden}`,
  isRight: refusedAfter(200),
});

/** Odd, but as it should be. */
export const fine = (message: string, status = 200) => ({ bytes: `${message}${last}`, isRight: exactly(status, 204) });
