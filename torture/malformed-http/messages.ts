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
const nines = [20, 21, 100, 400].map((digits) => '9'.repeat(digits));
const codings = [
  ...['xchunked', 'chunked, identity', 'identity', 'chunked;q=1', '"chunked"', 'chunked\x0b', 'chun ked', 'gzip'],
  ...['chunked,', '\x00chunked', 'chunked, gzip'],
];
const otherCodings = ['identity', 'gzip', 'x', 'cow'];
const sizes = ['-1', '0x5', 'G', '+5', ' 5', '', ';', '5 5', '5,', '\x00', '5\t5'];
const trailers = ['X y: 1', 'X\x00: 1', ': 1', 'Content-Length: 5', 'X: a\x00b', `X: ${'a'.repeat(20_000)}`];
const fields = [
  ...['X Odd: 1', 'X-Odd : 1', ': 1', 'X(odd): 1', 'X\x00: 1', 'X\xe4: 1', 'no colon', 'X-Odd\t: 1', '"X": 1', '=: 1'],
];
const controls = ['\x00', '\x01', '\x07', '\x08', '\x0b', '\x0c', '\x1b', '\x7f'];
const methods = ['GE T', 'get', 'G\x01T', 'FETCH', 'GET\t', ' GET', '\xc4GET', 'X'.repeat(500), '{}', 'GET/'];
const otherMethods = ['PROPFIND', 'TRACE', 'PURGE', 'LOCK', 'SEARCH', 'M-SEARCH', 'REPORT', 'OPTIONS'];
const addresses = [
  ...['elsewhere.example:80', '*', 'v1/me', '/v1/m e', 'http://', '/v1/\x00', '/v1/\x7f', '\\v1\\me', '?x'],
];
const hosts = ['a\r\nHost: b', 'a\r\nHost: a', 'a b', 'a/b', 'user@a', 'a:port'].map((host) => line(`Host: ${host}`));
const versions = ['HTTP/9.9', 'HTTP/1.10', 'http/1.1', 'HTTP /1.1', 'HTTP/1', 'HTTP/-1.1', 'ICE/1.0', 'HTTP/1.1 x'];
const garbage = ['\x00', 'garbage', '\xff\xfe', ' ', '}{', 'HTTP/1.1 200 OK', '\x16\x03\x01'];
const long = [17_000, 100_000].map((count) => 'a'.repeat(count));
const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: #\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';

/** Returns malformed and unusual messages by name. `hidden` is a request that must never be executed. */
export function messageKinds(credentials: string, hidden: string): Record<string, MessageKind> {
  const size = hidden.length;
  const get = (more = '', first = 'GET /v1/me HTTP/1.1') =>
    `${first}${crlf}Host: localhost${crlf}${credentials}${more}${crlf}`;
  const each = (text: string, values: (string | number)[], after: string) =>
    values.map((value) => text.replaceAll('#', () => String(value)) + after);
  /** The message is refused, and nothing after it is read as a request. */
  const bad = (text: string, values: (string | number)[] = [''], right = refused): MessageKind => ({
    right,
    messages: each(text, values, hidden),
  });
  const badHead = (field: string, values: (string | number)[], right = refused) => bad(get(line(field)), values, right);
  const badLine = (first: string, values: string[], right = refused) => bad(get('', first), values, right);
  const badBody = (body: string, values: string[]) => bad(get(chunked) + body, values, refusedAfterIt);
  const fine = (text: string, values: (string | number)[] = [''], right = /^200,204$/): MessageKind => ({
    right,
    messages: each(text, values, last),
  });
  const both = [0, 4, 5 + size].flatMap((value) => [length(value) + chunked, chunked + length(value)]);
  const wrongCodings = codings.map(coding).flatMap((one) => [one, length(5 + size) + one, one + length(5 + size)]);
  const exported = get('', 'GET /v1/billing/items/2026-11-01/ticket-charge HTTP/1.1');
  const whole = get(length(5));
  const changeable = [...get(`${length(5)}X-Odd: a, b;c="d"${crlf}`)];
  return {
    'two different lengths': bad(get('#'), [length(0) + length(size), length(size) + length(0)]),
    'the same length twice': bad(get('#'), [length(5) + length(5), length('5, 5')]),
    'a length that is not a number': badHead('Content-Length: #', lengths),
    'a length beyond all numbers': badHead('Content-Length: #', nines),
    'a length that never arrives': {
      ...badHead('Content-Length: #', [1e6, 1e12, 2 ** 53], refusedAfterIt),
      responses: 1,
    },
    'a length with spaces or zeros': fine(get(line('Content-Length:#')) + hidden, [
      ...[`\t${size}`, `  \t ${size}\t `, ` 000${size} `],
    ]),
    'length and chunks at once': bad(get('#') + end, both),
    'a coding that is not chunked': bad(get('#') + end, wrongCodings),
    'chunked and then another coding': bad(get(chunked + coding('#')) + end, otherCodings),
    'another coding and then chunked': fine(get(coding('#') + chunked) + end, otherCodings, /^(4\d\d|200,204)$/),
    'a coding under a wrong name': bad(
      get(line('#: chunked')) + end,
      ['Transfer_Encoding', 'X-Transfer-Encoding', 'Transfer-Encodin'],
      refusedAfterIt,
    ),
    'a coding in unusual letters': fine(get(line('tRANSFER-eNCODING#')) + chunk(hidden) + end, [
      ...[':chunked', ': Chunked', ':\tchunked', ':  CHUNKED  '],
    ]),
    'a chunk size that is not a number': badBody(`#${crlf}hello${crlf}${end}`, sizes),
    'a chunk size beyond all numbers': badBody(`#${crlf}hello`, ['F'.repeat(17), 'F'.repeat(18), 'F'.repeat(200)]),
    'a chunk of another size': badBody(`#${crlf}hello${crlf}${end}`, ['3', '4', '1', '2']),
    'a chunk size that ends wrongly': badBody(`5#hello${crlf}${end}`, ['\n', '\r', '\r\r\n', '\n\r']),
    'chunk extensions': fine(`${get(chunked)}5;a=b;c="d e"${crlf}hello${crlf}0;x${crlf}${crlf}`),
    'endless chunk extensions': badBody(`5;#${crlf}hello${crlf}${end}`, ['a'.repeat(17_000), 'a'.repeat(40_000)]),
    trailers: fine(`${get(chunked)}${chunk(hidden)}0${crlf}X-Checksum: 1${crlf}Authorization: none${crlf}${crlf}`),
    'broken trailers': badBody(`0${crlf}#${crlf}${crlf}`, trailers),
    'a request in a body': fine(get(length(size)) + hidden),
    'a body where none is read': fine(
      get(length(size), '# /v1/me HTTP/1.1') + hidden,
      ['POST', 'PUT', 'DELETE', 'PATCH'],
      /^405,204$/,
    ),
    'a body to an unknown path': fine(get(length(size), 'POST /v2/nothing HTTP/1.1') + hidden, [''], /^404,204$/),
    'lines that end in LF alone': {
      right: /^(4\d\d|200)$/,
      messages: ['', hidden].map((rest) => get(close).replaceAll(crlf, '\n') + rest),
    },
    'a line end within a line': badHead('X-Odd: a#Content-Length: 5', ['\r', '\r\r', '\n\r', '\r\t']),
    'a folded line': badHead(`X-Odd: 1${crlf}#Content-Length: 5`, [' ', '\t', '  \t']),
    'a control character': badHead('X-Odd: a#b', controls),
    'an invalid field name': badHead('#', fields),
    'a space before the first field': bad(`GET /v1/me HTTP/1.1${crlf} Host: localhost${crlf}${credentials}${crlf}`),
    'a field that is too large': badHead('X-Large: #', long),
    'a path that is too long': badLine('GET /v1/me?x=# HTTP/1.1', long),
    'too many fields': bad(get('#'), [line('a:b').repeat(4_000), line('a:b').repeat(20_000)]),
    'many fields': fine(get('#'), [line('a:b').repeat(50), line('a:b').repeat(200)]),
    'an invalid method': badLine('# /v1/me HTTP/1.1', methods),
    'a method for other things': fine(get('', '# /v1/me HTTP/1.1'), otherMethods, /^40[45],204$/),
    'the address of another server': fine(get('', 'GET http://elsewhere.example/v1/me HTTP/1.1')),
    'an invalid address': bad(get(close, 'GET # HTTP/1.1'), addresses),
    'a tunnel': bad(`CONNECT localhost:80 HTTP/1.1${crlf}Host: localhost:80${crlf}${crlf}`),
    'HTTP/0.9': bad(`GET /v1/me#${crlf}`, [crlf, '\n', ` ${crlf}`]),
    'another version': badLine('GET /v1/me #', versions),
    // There is one response in our own version. Bytes after a request that is not HTTP/1.1 are not a request.
    'a version that Node parses': badLine('GET /v1/me #', ['HTTP/2.0', 'HTTP/1.0', 'RTSP/1.0'], /^(4\d\d|200)$/),
    'HTTP/2': bad(`PRI * HTTP/2.0${crlf}${crlf}SM${crlf}${crlf}\x00\x00\x00\x04\x00\x00\x00\x00\x00`),
    TLS: bad('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
    'a wrong Host': bad(`GET /v1/me HTTP/1.1${crlf}#${credentials}${close}${crlf}`, ['', ...hosts]),
    'empty lines in front': fine(`#${get()}`, [crlf, crlf.repeat(2), crlf.repeat(3)]),
    'garbage after a request': bad(get() + line('#'), garbage, refusedAfterIt),
    'garbage after an export': bad(`${exported}garbage${crlf}${crlf}`, [''], refusedAfterIt),
    'garbage in the middle of an export': {
      messages: [exported],
      later: `garbage${crlf}${crlf}${hidden}`,
      // The response is broken off, or it is complete and a refusal follows.
      right: /^(200|(200,)?4\d\d)?$/,
    },
    'an expectation': fine(
      get(line('Expect: #') + length(size)) + hidden,
      ['100-continue', 'the-unexpected', '', '100-continue, x'],
      /^(200|417),204$/,
    ),
    // The next request may be lost, but then the connection is closed.
    'an upgrade': fine(get(upgrade), ['h2c', 'websocket', 'TLS/1.0', 'HTTP/3'], /^200(,204)?$/),
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
