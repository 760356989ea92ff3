import fc from 'fast-check';
import {
  chunk,
  crlf,
  either,
  exactly,
  last,
  type Message,
  type MessageParts,
  nothing,
  pick,
  refused,
  refusedAfter,
  repeated,
  unbroken,
} from './message.ts';

const line = (text: string) => `${text}${crlf}`;
const lines = (values: fc.Arbitrary<string>, name: string) => values.map((value) => line(`${name}: ${value}`));
const end = `0${crlf}${crlf}`;
const anyByte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));

type Families = Record<string, fc.Arbitrary<Message>>;

/** Messages whose body, or its description in the head, is wrong or unusual. */
function bodyFamilies(parts: MessageParts): Families {
  const { hidden } = parts;
  const size = hidden.length;
  const chunked = line('Transfer-Encoding: chunked');
  const length = (value: string | number) => line(`Content-Length: ${value}`);
  const framed = (head: string) => `${parts.get(head)}${end}${hidden}`;
  const withHidden = (first?: string) => `${parts.get(length(size), first)}${hidden}`;
  const codings = [
    'xchunked',
    'chunked, identity',
    'identity',
    'chunked;q=1',
    '"chunked"',
    'chunked\x0b',
    'chun ked',
    'gzip',
  ];
  const moreCodings = ['chunked,', '\x00chunked', 'chunked, gzip'];
  const badFields = ['X y: 1', 'X\x00: 1', ': 1', 'Content-Length: 5', 'X: a\x00b', `X: ${'a'.repeat(20_000)}`];
  const otherLengths = ['-1', '+5', '0x10', '1e2', '5 5', '5,', '', '5;', '\xb5', '5\t0', '\xd9\xa5', '--5', '5.0'];
  const badSizes = ['-1', '0x5', 'G', '+5', ' 5', '', ';', '5 5', '5,', '\x00', '5\t5'];
  return {
    'two different lengths': parts.badHead(pick(length(0) + length(size), length(size) + length(0))),
    'the same length twice': parts.badHead(pick(length(5) + length(5), length('5, 5'))),
    'a length that is not a number': parts.badHead(pick(...otherLengths.map(length))),
    'a length beyond all numbers': parts.badHead(repeated('9', 20, 400).map(length)),
    'a length that never arrives': fc.constantFrom(1e6, 1e12, 2 ** 53).map((value) => ({
      bytes: `${parts.get(length(value))}${hidden}`,
      isRight: refusedAfter(200),
      responses: 1,
    })),
    'a length with spaces or zeros': parts.fine(
      fc
        .tuple(pick(' ', '\t', '  \t ', ' 000'), pick('', ' ', '\t '))
        .map(([before, after]) => `${parts.get(line(`Content-Length:${before}${size}${after}`))}${hidden}`),
    ),
    'length and chunks at once': fc
      .tuple(fc.constantFrom(0, 4, 5 + size), fc.boolean())
      .map(([value, isFirst]) => (isFirst ? length(value) + chunked : chunked + length(value)))
      .map((head) => ({ bytes: framed(head), isRight: refused })),
    'a coding that is not chunked': fc
      .tuple(lines(pick(...codings, ...moreCodings), 'Transfer-Encoding'), pick('alone', 'after', 'before'))
      .map(([coding, place]) => {
        const own = length(5 + size);
        return {
          bytes: framed(place === 'alone' ? coding : place === 'after' ? own + coding : coding + own),
          isRight: refused,
        };
      }),
    'chunked and then another coding': pick('identity', 'gzip', 'x', 'cow').map((other) => ({
      bytes: framed(chunked + line(`Transfer-Encoding: ${other}`)),
      isRight: refused,
    })),
    'another coding and then chunked': pick('identity', 'gzip', 'x', 'cow').map((other) => ({
      bytes: `${parts.get(line(`Transfer-Encoding: ${other}`) + chunked)}${end}${last}`,
      isRight: either(refused, exactly(200, 204)),
    })),
    'a coding under a wrong name': pick('Transfer_Encoding', 'X-Transfer-Encoding', 'Transfer-Encodin').map((name) => ({
      bytes: framed(line(`${name}: chunked`)),
      isRight: refusedAfter(200),
    })),
    'a coding in unusual letters': parts.fine(
      pick(':chunked', ': Chunked', ':\tchunked', ':  CHUNKED  ').map(
        (coding) => `${parts.get(line(`tRANSFER-eNCODING${coding}`))}${chunk(hidden)}${end}`,
      ),
    ),
    'a chunk size that is not a number': parts.badBody(
      pick(...badSizes).map((text) => `${text}${crlf}hello${crlf}${end}`),
    ),
    'a chunk size beyond all numbers': parts.badBody(repeated('F', 17, 200).map((text) => `${text}${crlf}hello`)),
    'a chunk of another size': parts.badBody(
      pick('3', '4', '1', '2').map((text) => `${text}${crlf}hello${crlf}${end}`),
    ),
    'a chunk size that ends wrongly': parts.badBody(
      pick('\n', '\r', '\r\r\n', '\n\r').map((text) => `5${text}hello${crlf}${end}`),
    ),
    'chunk extensions': parts.fine(
      fc.constant(`${parts.get(chunked)}5;a=b;c="d e"${crlf}hello${crlf}0;x${crlf}${crlf}`),
    ),
    'endless chunk extensions': parts.badBody(
      repeated('a', 17_000, 40_000).map((text) => `5;${text}${crlf}hello${crlf}${end}`),
    ),
    trailers: parts.fine(
      fc.constant(`${parts.get(chunked)}${chunk(hidden)}0${crlf}X-Checksum: 1${crlf}Authorization: none${crlf}${crlf}`),
    ),
    'broken trailers': parts.badBody(pick(...badFields).map((field) => `0${crlf}${field}${crlf}${crlf}`)),
    'a request in a body': parts.fine(fc.constant(withHidden())),
    'a body where none is read': parts.fine(
      pick('POST', 'PUT', 'DELETE', 'PATCH').map((method) => withHidden(`${method} /v1/me HTTP/1.1`)),
      405,
    ),
    'a body to an unknown path': parts.fine(fc.constant(withHidden('POST /v2/nothing HTTP/1.1')), 404),
  };
}

/** Messages whose head is wrong or unusual, or which are not HTTP/1.1 at all. */
function headFamilies(parts: MessageParts): Families {
  const { hidden, credentials } = parts;
  const close = line('Connection: close');
  const only = (bytes: string): fc.Arbitrary<Message> => fc.constant({ bytes, isRight: refused });
  const badNames = [
    'X Odd: 1',
    'X-Odd : 1',
    ': 1',
    'X(odd): 1',
    'X\x00: 1',
    'X\xe4: 1',
    'no colon',
    'X-Odd\t: 1',
    '"X": 1',
    '=: 1',
  ];
  const badMethods = ['GE T', 'get', 'G\x01T', 'FETCH', 'GET\t', ' GET', '\xc4GET', 'X'.repeat(500), '{}', 'GET/'];
  const otherMethods = ['PROPFIND', 'TRACE', 'PURGE', 'LOCK', 'SEARCH', 'M-SEARCH', 'REPORT', 'OPTIONS'];
  const badTargets = [
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
  const badHosts = [
    line('Host: a') + line('Host: b'),
    line('Host: a') + line('Host: a'),
    ...['a b', 'a/b', 'user@a', 'a:port'].map((host) => line(`Host: ${host}`)),
    '',
  ];
  const badVersions = [
    'HTTP/9.9',
    'HTTP/1.10',
    'http/1.1',
    'HTTP /1.1',
    'HTTP/1',
    'HTTP/-1.1',
    'ICE/1.0',
    'HTTP/1.1 x',
  ];
  const exported = parts.get('', 'GET /v1/billing/items/2026-11-01/ticket-charge HTTP/1.1');
  const whole = parts.get(line('Content-Length: 5'));
  return {
    'lines that end in LF alone': pick('', hidden).map((rest) => ({
      bytes: `${parts.get(close).replaceAll(crlf, '\n')}${rest}`,
      isRight: either(refused, exactly(200)),
    })),
    'a line end within a line': parts.badHead(
      pick('\r', '\r\r', '\n\r', '\r\t').map((text) => line(`X-Odd: a${text}Content-Length: 5`)),
    ),
    'a folded line': parts.badHead(
      pick(' ', '\t', '  \t').map((text) => line(`X-Odd: 1${crlf}${text}Content-Length: 5`)),
    ),
    'a control character': parts.badHead(
      fc.constantFrom(0, 1, 7, 8, 11, 12, 27, 127).map((code) => line(`X-Odd: a${String.fromCharCode(code)}b`)),
    ),
    'an invalid field name': parts.badHead(pick(...badNames.map(line))),
    'a space before the first field': only(
      `GET /v1/me HTTP/1.1${crlf} Host: localhost${crlf}${credentials}${crlf}${hidden}`,
    ),
    'a field that is too large': parts.badHead(lines(repeated('a', 17_000, 100_000), 'X-Large')),
    'a path that is too long': parts.badLine(
      repeated('a', 17_000, 100_000).map((text) => `GET /v1/me?x=${text} HTTP/1.1`),
    ),
    'too many fields': parts.badHead(repeated(line('a:b'), 4_000, 20_000)),
    'many fields': parts.fine(repeated(line('a:b'), 50, 200).map((text) => parts.get(text))),
    'an invalid method': parts.badLine(pick(...badMethods).map((method) => `${method} /v1/me HTTP/1.1`)),
    'a method for other things': pick(...otherMethods).map((method) => ({
      bytes: `${parts.get('', `${method} /v1/me HTTP/1.1`)}${last}`,
      isRight: either(exactly(404, 204), exactly(405, 204)),
    })),
    'the address of another server': parts.fine(
      fc.constant(parts.get('', 'GET http://elsewhere.example/v1/me HTTP/1.1')),
    ),
    'an invalid address': parts.badHead(
      fc.constant(close),
      pick(...badTargets).map((target) => `GET ${target} HTTP/1.1`),
    ),
    'a tunnel': only(`CONNECT localhost:80 HTTP/1.1${crlf}Host: localhost:80${crlf}${crlf}${hidden}`),
    'HTTP/0.9': pick(crlf, '\n', ` ${crlf}`).map((text) => ({
      bytes: `GET /v1/me${text}${crlf}${hidden}`,
      isRight: refused,
    })),
    'another version': parts.badLine(pick(...badVersions).map((version) => `GET /v1/me ${version}`)),
    // There is one response in our own version. Bytes after a request that is not HTTP/1.1 are not a request.
    'a version that Node parses': parts.badLine(
      pick('HTTP/2.0', 'HTTP/1.0', 'RTSP/1.0').map((version) => `GET /v1/me ${version}`),
      either(refused, exactly(200)),
    ),
    'HTTP/2': only(`PRI * HTTP/2.0${crlf}${crlf}SM${crlf}${crlf}\x00\x00\x00\x04\x00\x00\x00\x00\x00${hidden}`),
    TLS: only(`\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${hidden}`),
    'a wrong Host': pick(...badHosts).map((host) => ({
      bytes: `GET /v1/me HTTP/1.1${crlf}${host}${credentials}${close}${crlf}${hidden}`,
      isRight: refused,
    })),
    'empty lines in front': parts.fine(repeated(crlf, 1, 3).map((text) => `${text}${parts.get('')}`)),
    'garbage after a request': pick('\x00', 'garbage', '\xff\xfe', ' ', '}{', 'HTTP/1.1 200 OK', '\x16\x03\x01').map(
      (garbage) => ({
        bytes: `${parts.get('')}${garbage}${crlf}${hidden}`,
        isRight: refusedAfter(200),
      }),
    ),
    'garbage after an export': fc.constant({
      bytes: `${exported}garbage${crlf}${crlf}${hidden}`,
      isRight: refusedAfter(200),
    }),
    'garbage in the middle of an export': fc.constant({
      bytes: exported,
      later: `garbage${crlf}${crlf}${hidden}`,
      // The response is broken off, or it is complete and a refusal follows.
      isRight: either(nothing, refusedAfter(200)),
    }),
    'an expectation': pick('100-continue', 'the-unexpected', '', '100-continue, x').map((expectation) => ({
      bytes: `${parts.get(line(`Expect: ${expectation}`) + line(`Content-Length: ${hidden.length}`))}${hidden}${last}`,
      isRight: either(exactly(200, 204), exactly(417, 204)),
    })),
    'an upgrade': pick('h2c', 'websocket', 'TLS/1.0', 'HTTP/3').map((protocol) => ({
      bytes: `${parts.get(line('Connection: Upgrade, HTTP2-Settings') + line(`Upgrade: ${protocol}`) + line('HTTP2-Settings: AAMAAABkAAQAAP__'))}${last}`,
      // The next request may be lost, but then the connection is closed.
      isRight: either(exactly(200), exactly(200, 204)),
    })),
    'a message that breaks off': fc.integer({ min: 1, max: whole.length - 1 }).map((at) => ({
      bytes: whole.slice(0, at),
      isRight: either(nothing, refused),
      responses: 0,
    })),
    'random bytes': fc.array(anyByte, { minLength: 1, maxLength: 2_000, size: 'max' }).map((bytes) => ({
      bytes: `${bytes.join('')}${crlf}${crlf}`,
      isRight: either(nothing, refused),
      responses: 0,
    })),
    'a request with bytes changed': fc
      .array(fc.tuple(fc.nat(), anyByte), { minLength: 1, maxLength: 4 })
      .map((changes) => {
        const bytes = [...parts.get(line('Content-Length: 5') + line('X-Odd: a, b;c="d"'))];
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        return { bytes: `${bytes.join('')}hello`, isRight: unbroken, responses: 0 };
      }),
  };
}

export const messageFamilies = (parts: MessageParts): [string, fc.Arbitrary<Message>][] =>
  Object.entries({ ...bodyFamilies(parts), ...headFamilies(parts) });
