import fc from 'fast-check';

/** Whether these statuses, in this order, are a correct response to a message. The connection is closed after them. */
export type Rule = (statuses: number[]) => boolean;

export interface Message {
  /** The bytes as sent, one character per byte. */
  bytes: string;
  /** Sent once the first bytes of a response have arrived. */
  later?: string;
  isRight: Rule;
  /** How many responses to expect before the client closes the connection. If absent, the service closes it. */
  responses?: number;
}

const is4xx = (status: number | undefined) => status !== undefined && status >= 400 && status < 500;
export const refused: Rule = (statuses) => statuses.length === 1 && is4xx(statuses[0]);
export const exactly =
  (...expected: number[]): Rule =>
  (statuses) =>
    statuses.join() === expected.join();
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
export const pick = fc.constantFrom<string[]>;
export const repeated = (text: string, min: number, max: number) =>
  fc.integer({ min, max }).map((count) => text.repeat(count));

/** What messages are built from. */
export class MessageParts {
  /** The header lines that authenticate a request, each with its line end. */
  readonly credentials: string;
  /** A complete request that must never be executed. It would store a roster. */
  readonly hidden: string;

  constructor(credentials: string, hidden: string) {
    this.credentials = credentials;
    this.hidden = hidden;
  }

  get(lines: string, line = 'GET /v1/me HTTP/1.1'): string {
    return `${line}${crlf}Host: localhost${crlf}${this.credentials}${lines}${crlf}`;
  }

  /** The head is refused, and nothing after it is read as a request. */
  badHead(lines: fc.Arbitrary<string>, line?: fc.Arbitrary<string>, isRight = refused): fc.Arbitrary<Message> {
    return fc
      .tuple(lines, line ?? fc.constant(undefined))
      .map(([head, first]) => ({ bytes: `${this.get(head, first)}${this.hidden}`, isRight }));
  }

  badLine(line: fc.Arbitrary<string>, isRight = refused): fc.Arbitrary<Message> {
    return this.badHead(fc.constant(''), line, isRight);
  }

  /** The head is valid, the body is not. */
  badBody(body: fc.Arbitrary<string>): fc.Arbitrary<Message> {
    const head = this.get(`Transfer-Encoding: chunked${crlf}`);
    return body.map((text) => ({ bytes: `${head}${text}${this.hidden}`, isRight: refusedAfter(200) }));
  }

  /** The message is unusual but valid. */
  fine(message: fc.Arbitrary<string>, status = 200): fc.Arbitrary<Message> {
    return message.map((text) => ({ bytes: `${text}${last}`, isRight: exactly(status, 204) }));
  }
}
