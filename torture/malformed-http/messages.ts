import fc from 'fast-check';

/** One kind of message. Every message of it must get statuses that match `right`, joined by commas. */
export interface MessageKind {
  right: RegExp;
  /** Bytes as sent, one character per byte. */
  messages: string[] | fc.Arbitrary<string>;
  /** Sent once the first bytes of a response have arrived. */
  later?: string;
  /** How many responses to expect before the client closes the connection. If absent, the service closes it. */
  responses?: number;
}

const crlf = '\r\n';
const refused = /^4\d\d$/;
/** The valid request before the mistake may get its response or none. The mistake is refused once. */
const refusedAfterIt = /^(200|(200,)?4\d\d)$/;
const refusedOrNothing = /^(4\d\d)?$/;
const line = (text: string) => `${text}${crlf}`;
const length = (value: string | number) => line(`Content-Length: ${value}`);
const coding = (value: string) => line(`Transfer-Encoding: ${value}`);
const close = line('Connection: close');
const chunked = coding('chunked');
const chunk = (text: string) => `${text.length.toString(16)}${crlf}${text}${crlf}`;
const end = `0${crlf}${crlf}`;
/** Sent after messages that are unusual but valid. Its response shows that they ended where they should. */
const last = `GET /v1/health HTTP/1.1${crlf}Host: localhost${crlf}${close}${crlf}`;
const anyByte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));

const lengths = ['-1', '+5', '0x10', '1e2', '5 5', '5,', '', '5;', '\xb5', '5\t0', '\xd9\xa5', '--5', '5.0'];
const codings = [
  ...['xchunked', 'chunked, identity', 'identity', 'chunked;q=1', '"chunked"', 'chunked\x0b', 'chun ked', 'gzip'],
  ...['chunked,', '\x00chunked', 'chunked, gzip'],
];
const sizes = ['-1', '0x5', 'G', '+5', ' 5', '', ';', '5 5', '5,', '\x00', '5\t5'];
const trailers = ['X y: 1', 'X\x00: 1', ': 1', 'Content-Length: 5', 'X: a\x00b', `X: ${'a'.repeat(20_000)}`];
const fields = [
  ...['X Odd: 1', 'X-Odd : 1', ': 1', 'X(odd): 1', 'X\x00: 1', 'X\xe4: 1', 'no colon', 'X-Odd\t: 1', '"X": 1', '=: 1'],
];
const controls = ['\x00', '\x01', '\x07', '\x08', '\x0b', '\x0c', '\x1b', '\x7f'];
const methods = ['GE T', 'get', 'G\x01T', 'FETCH', 'GET\t', ' GET', '\xc4GET', 'X'.repeat(500), '{}', 'GET/'];
const otherMethods = ['PROPFIND', 'TRACE', 'PURGE', 'LOCK', 'SEARCH', 'M-SEARCH', 'REPORT', 'OPTIONS'];
const addresses = [
  'elsewhere.example:80',
  '*',
  'v1/me',
  '/v1/m e',
  'http://',
  '/v1/\x00',
  '/v1/\x7f',
  '\\v1\\me',
  '?x',
];
const hosts = ['a\r\nHost: b', 'a\r\nHost: a', 'a b', 'a/b', 'user@a', 'a:port'].map((host) => line(`Host: ${host}`));
const versions = ['HTTP/9.9', 'HTTP/1.10', 'http/1.1', 'HTTP /1.1', 'HTTP/1', 'HTTP/-1.1', 'ICE/1.0', 'HTTP/1.1 x'];
const garbage = ['\x00', 'garbage', '\xff\xfe', ' ', '}{', 'HTTP/1.1 200 OK', '\x16\x03\x01'];

/**
 * Returns kinds of malformed and of unusual messages by name. `credentials` are header lines. `hidden` is a complete
 * request that would store a roster and must never be executed.
 */
export function messageKinds(credentials: string, hidden: string): Record<string, MessageKind> {
  const size = hidden.length;
  const get = (more = '', first = 'GET /v1/me HTTP/1.1') =>
    `${first}${crlf}Host: localhost${crlf}${credentials}${more}${crlf}`;
  /** The message is refused, and nothing after it is read as a request. */
  const bad = (messages: string[], right = refused): MessageKind => ({
    right,
    messages: messages.map((m) => m + hidden),
  });
  const badHead = (heads: string[]) => bad(heads.map((head) => get(head)));
  const badLine = (lines: string[], right = refused) =>
    bad(
      lines.map((first) => get('', first)),
      right,
    );
  const badBody = (bodies: string[]) =>
    bad(
      bodies.map((body) => get(chunked) + body),
      refusedAfterIt,
    );
  /** The message is unusual but valid. */
  const fine = (messages: string[], right = /^200,204$/): MessageKind => ({
    right,
    messages: messages.map((m) => m + last),
  });
  const framed = (heads: string[], right = refused) =>
    bad(
      heads.map((head) => get(head) + end),
      right,
    );
  const exported = get('', 'GET /v1/billing/items/2026-11-01/ticket-charge HTTP/1.1');
  const whole = get(length(5));
  const changeable = [...get(`${length(5)}X-Odd: a, b;c="d"${crlf}`)];
  return {
    'two different lengths': badHead([length(0) + length(size), length(size) + length(0)]),
    'the same length twice': badHead([length(5) + length(5), length('5, 5')]),
    'a length that is not a number': badHead(lengths.map(length)),
    'a length beyond all numbers': badHead([20, 21, 100, 400].map((digits) => length('9'.repeat(digits)))),
    'a length that never arrives': {
      ...bad(
        [1e6, 1e12, 2 ** 53].map((value) => get(length(value))),
        refusedAfterIt,
      ),
      responses: 1,
    },
    'a length with spaces or zeros': fine(
      [`\t${size}`, `  \t ${size}\t `, ` 000${size} `].map((value) => get(line(`Content-Length:${value}`)) + hidden),
    ),
    'length and chunks at once': framed(
      [0, 4, 5 + size].flatMap((value) => [length(value) + chunked, chunked + length(value)]),
    ),
    'a coding that is not chunked': framed(
      codings.map(coding).flatMap((one) => [one, length(5 + size) + one, one + length(5 + size)]),
    ),
    'chunked and then another coding': framed(['identity', 'gzip', 'x', 'cow'].map((other) => chunked + coding(other))),
    'another coding and then chunked': fine(
      ['identity', 'gzip', 'x', 'cow'].map((other) => get(coding(other) + chunked) + end),
      /^(4\d\d|200,204)$/,
    ),
    'a coding under a wrong name': framed(
      ['Transfer_Encoding', 'X-Transfer-Encoding', 'Transfer-Encodin'].map((name) => line(`${name}: chunked`)),
      refusedAfterIt,
    ),
    'a coding in unusual letters': fine(
      [':chunked', ': Chunked', ':\tchunked', ':  CHUNKED  '].map(
        (value) => get(line(`tRANSFER-eNCODING${value}`)) + chunk(hidden) + end,
      ),
    ),
    'a chunk size that is not a number': badBody(sizes.map((text) => `${text}${crlf}hello${crlf}${end}`)),
    'a chunk size beyond all numbers': badBody([17, 18, 200].map((digits) => `${'F'.repeat(digits)}${crlf}hello`)),
    'a chunk of another size': badBody(['3', '4', '1', '2'].map((text) => `${text}${crlf}hello${crlf}${end}`)),
    'a chunk size that ends wrongly': badBody(
      ['\n', '\r', '\r\r\n', '\n\r'].map((text) => `5${text}hello${crlf}${end}`),
    ),
    'chunk extensions': fine([`${get(chunked)}5;a=b;c="d e"${crlf}hello${crlf}0;x${crlf}${crlf}`]),
    'endless chunk extensions': badBody(
      [17_000, 40_000].map((count) => `5;${'a'.repeat(count)}${crlf}hello${crlf}${end}`),
    ),
    trailers: fine([`${get(chunked)}${chunk(hidden)}0${crlf}X-Checksum: 1${crlf}Authorization: none${crlf}${crlf}`]),
    'broken trailers': badBody(trailers.map((field) => `0${crlf}${field}${crlf}${crlf}`)),
    'a request in a body': fine([get(length(size)) + hidden]),
    'a body where none is read': fine(
      ['POST', 'PUT', 'DELETE', 'PATCH'].map((method) => get(length(size), `${method} /v1/me HTTP/1.1`) + hidden),
      /^405,204$/,
    ),
    'a body to an unknown path': fine([get(length(size), 'POST /v2/nothing HTTP/1.1') + hidden], /^404,204$/),
    'lines that end in LF alone': {
      right: /^(4\d\d|200)$/,
      messages: ['', hidden].map((rest) => get(close).replaceAll(crlf, '\n') + rest),
    },
    'a line end within a line': badHead(
      ['\r', '\r\r', '\n\r', '\r\t'].map((text) => line(`X-Odd: a${text}Content-Length: 5`)),
    ),
    'a folded line': badHead([' ', '\t', '  \t'].map((text) => line(`X-Odd: 1${crlf}${text}Content-Length: 5`))),
    'a control character': badHead(controls.map((character) => line(`X-Odd: a${character}b`))),
    'an invalid field name': badHead(fields.map(line)),
    'a space before the first field': bad([`GET /v1/me HTTP/1.1${crlf} Host: localhost${crlf}${credentials}${crlf}`]),
    'a field that is too large': badHead([17_000, 100_000].map((count) => line(`X-Large: ${'a'.repeat(count)}`))),
    'a path that is too long': badLine([17_000, 100_000].map((count) => `GET /v1/me?x=${'a'.repeat(count)} HTTP/1.1`)),
    'too many fields': badHead([4_000, 20_000].map((count) => line('a:b').repeat(count))),
    'many fields': fine([50, 200].map((count) => get(line('a:b').repeat(count)))),
    'an invalid method': badLine(methods.map((method) => `${method} /v1/me HTTP/1.1`)),
    'a method for other things': fine(
      otherMethods.map((method) => get('', `${method} /v1/me HTTP/1.1`)),
      /^40[45],204$/,
    ),
    'the address of another server': fine([get('', 'GET http://elsewhere.example/v1/me HTTP/1.1')]),
    'an invalid address': bad(addresses.map((address) => get(close, `GET ${address} HTTP/1.1`))),
    'a tunnel': bad([`CONNECT localhost:80 HTTP/1.1${crlf}Host: localhost:80${crlf}${crlf}`]),
    'HTTP/0.9': bad([crlf, '\n', ` ${crlf}`].map((text) => `GET /v1/me${text}${crlf}`)),
    'another version': badLine(versions.map((version) => `GET /v1/me ${version}`)),
    // There is one response in our own version. Bytes after a request that is not HTTP/1.1 are not a request.
    'a version that Node parses': badLine(
      ['HTTP/2.0', 'HTTP/1.0', 'RTSP/1.0'].map((version) => `GET /v1/me ${version}`),
      /^(4\d\d|200)$/,
    ),
    'HTTP/2': bad([`PRI * HTTP/2.0${crlf}${crlf}SM${crlf}${crlf}\x00\x00\x00\x04\x00\x00\x00\x00\x00`]),
    TLS: bad(['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03']),
    'a wrong Host': bad(['', ...hosts].map((host) => `GET /v1/me HTTP/1.1${crlf}${host}${credentials}${close}${crlf}`)),
    'empty lines in front': fine([1, 2, 3].map((count) => crlf.repeat(count) + get())),
    'garbage after a request': bad(
      garbage.map((text) => get() + line(text)),
      refusedAfterIt,
    ),
    'garbage after an export': bad([`${exported}garbage${crlf}${crlf}`], refusedAfterIt),
    'garbage in the middle of an export': {
      messages: [exported],
      later: `garbage${crlf}${crlf}${hidden}`,
      // The response is broken off, or it is complete and a refusal follows.
      right: /^(200|(200,)?4\d\d)?$/,
    },
    'an expectation': fine(
      ['100-continue', 'the-unexpected', '', '100-continue, x'].map(
        (expectation) => get(line(`Expect: ${expectation}`) + length(size)) + hidden,
      ),
      /^(200|417),204$/,
    ),
    'an upgrade': fine(
      ['h2c', 'websocket', 'TLS/1.0', 'HTTP/3'].map((protocol) =>
        get(`Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n`),
      ),
      // The next request may be lost, but then the connection is closed.
      /^200(,204)?$/,
    ),
    'a message that breaks off': {
      messages: fc.integer({ min: 1, max: whole.length - 1 }).map((at) => whole.slice(0, at)),
      right: refusedOrNothing,
      responses: 0,
    },
    'random bytes': {
      messages: fc
        .array(anyByte, { minLength: 1, maxLength: 2_000, size: 'max' })
        .map((bytes) => `${bytes.join('')}${crlf}${crlf}`),
      right: refusedOrNothing,
      responses: 0,
    },
    'a request with bytes changed': {
      messages: fc.array(fc.tuple(fc.nat(), anyByte), { minLength: 1, maxLength: 4 }).map((changes) => {
        const bytes = [...changeable];
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        return `${bytes.join('')}hello`;
      }),
      // Only a server error would be wrong.
      right: /^/,
      responses: 0,
    },
  };
}
