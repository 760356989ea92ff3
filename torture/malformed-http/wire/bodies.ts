import {
  badBody,
  badHead,
  chunk,
  crlf,
  either,
  exactly,
  type Family,
  fine,
  get,
  last,
  refused,
  refusedAfter,
} from './message.ts';

/** Messages whose body, or its description in the head, is wrong or unusual. */
export const bodies: Record<string, Family> = {
  'two different lengths': (parts) => {
    const [one, other] = parts.random.shuffle([0, parts.hidden.length]);
    return badHead(parts, `Content-Length: ${one}${crlf}Content-Length: ${other}${crlf}`);
  },
  'the same length twice': (parts) =>
    badHead(
      parts,
      parts.random.pick([`Content-Length: 5${crlf}Content-Length: 5${crlf}`, `Content-Length: 5, 5${crlf}`]),
    ),
  'a length that is no number': (parts) => {
    const length = parts.random.pick([
      '-1',
      '+5',
      '0x10',
      '1e2',
      '5 5',
      '5,',
      '',
      '5;',
      '\xb5',
      '5\t0',
      '\xd9\xa5',
      '--5',
      '5.0',
    ]);
    return badHead(parts, `Content-Length: ${length}${crlf}`);
  },
  'a length beyond all numbers': (parts) =>
    badHead(parts, `Content-Length: ${'9'.repeat(parts.random.int(20, 400))}${crlf}`),
  'a length that never comes': (parts) => ({
    bytes: `${get(parts, `Content-Length: ${parts.random.pick([1e6, 1e12, 2 ** 53])}${crlf}`)}${parts.hidden}`,
    isRight: refusedAfter(200),
    answers: 1,
  }),
  'a length with spaces or zeros': (parts) => {
    const length =
      parts.random.pick([' ', '\t', '  \t ', ' 000']) + parts.hidden.length + parts.random.pick(['', ' ', '\t ']);
    return fine(`${get(parts, `Content-Length:${length}${crlf}`)}${parts.hidden}`);
  },
  'length and chunks at once': (parts) => {
    const length = parts.random.pick([0, 4, 5 + parts.hidden.length]);
    const lines = parts.random.shuffle([`Content-Length: ${length}${crlf}`, `Transfer-Encoding: chunked${crlf}`]);
    return { bytes: `${get(parts, lines.join(''))}0${crlf}${crlf}${parts.hidden}`, isRight: refused };
  },
  'a coding that is not chunked': (parts) => {
    const codings = [
      'xchunked',
      'chunked, identity',
      'identity',
      'chunked;q=1',
      '"chunked"',
      'chunked\x0b',
      'chun ked',
      'gzip',
      'chunked,',
      '\x00chunked',
      'chunked, gzip',
    ];
    const coding = `Transfer-Encoding: ${parts.random.pick(codings)}${crlf}`;
    const length = `Content-Length: ${5 + parts.hidden.length}${crlf}`;
    const lines = parts.random.pick([coding, length + coding, coding + length]);
    return { bytes: `${get(parts, lines)}0${crlf}${crlf}${parts.hidden}`, isRight: refused };
  },
  'two codings': (parts) => {
    const [one, other] = parts.random.shuffle(['chunked', parts.random.pick(['identity', 'gzip', 'x', 'cow'])]);
    const lines = `Transfer-Encoding: ${one}${crlf}Transfer-Encoding: ${other}${crlf}`;
    const framed = `${get(parts, lines)}0${crlf}${crlf}`;
    return one === 'chunked'
      ? { bytes: framed + parts.hidden, isRight: refused }
      : { bytes: framed + last, isRight: either(refused, exactly(200, 204)) };
  },
  'a coding under a wrong name': (parts) => {
    const name = parts.random.pick(['Transfer_Encoding', 'X-Transfer-Encoding', 'Transfer-Encodin']);
    return {
      bytes: `${get(parts, `${name}: chunked${crlf}`)}0${crlf}${crlf}${parts.hidden}`,
      isRight: refusedAfter(200),
    };
  },
  'a coding in odd letters': (parts) => {
    const coding = parts.random.pick([':chunked', ': Chunked', ':\tchunked', ':  CHUNKED  ']);
    return fine(`${get(parts, `tRANSFER-eNCODING${coding}${crlf}`)}${chunk(parts.hidden)}0${crlf}${crlf}`);
  },
  'a size that is no number': (parts) => {
    const sizes = ['-1', '0x5', 'G', '+5', ' 5', '', ';', '5 5', '5,', '\x00', '5\t5'];
    return badBody(parts, `${parts.random.pick(sizes)}${crlf}hello${crlf}0${crlf}${crlf}`);
  },
  'a size beyond all numbers': (parts) => badBody(parts, `${'F'.repeat(parts.random.int(17, 200))}${crlf}hello`),
  'a chunk of another size': (parts) =>
    badBody(parts, `${parts.random.pick(['3', '4', '1', '2'])}${crlf}hello${crlf}0${crlf}${crlf}`),
  'a size that ends wrongly': (parts) =>
    badBody(parts, `5${parts.random.pick(['\n', '\r', '\r\r\n', '\n\r'])}hello${crlf}0${crlf}${crlf}`),
  'remarks beside a size': (parts) =>
    fine(`${get(parts, `Transfer-Encoding: chunked${crlf}`)}5;a=b;c="d e"${crlf}hello${crlf}0;x${crlf}${crlf}`),
  'endless remarks beside a size': (parts) =>
    badBody(parts, `5;${'a'.repeat(parts.random.int(17_000, 40_000))}${crlf}hello${crlf}0${crlf}${crlf}`),
  'fields behind the body': (parts) =>
    fine(
      `${get(parts, `Transfer-Encoding: chunked${crlf}`)}${chunk(parts.hidden)}0${crlf}X-Checksum: 1${crlf}Authorization: none${crlf}${crlf}`,
    ),
  'broken fields behind the body': (parts) =>
    badBody(
      parts,
      `0${crlf}${parts.random.pick(['X y: 1', 'X\x00: 1', ': 1', 'Content-Length: 5', 'X: a\x00b', `X: ${'a'.repeat(20_000)}`])}${crlf}${crlf}`,
    ),
  'a request in a body': (parts) =>
    fine(`${get(parts, `Content-Length: ${parts.hidden.length}${crlf}`)}${parts.hidden}`),
  'a body where none is read': (parts) =>
    fine(
      `${get(parts, `Content-Length: ${parts.hidden.length}${crlf}`, `${parts.random.pick(['POST', 'PUT', 'DELETE', 'PATCH'])} /v1/me HTTP/1.1`)}${parts.hidden}`,
      405,
    ),
  'a body to an unknown path': (parts) =>
    fine(
      `${get(parts, `Content-Length: ${parts.hidden.length}${crlf}`, 'POST /v2/nothing HTTP/1.1')}${parts.hidden}`,
      404,
    ),
};
