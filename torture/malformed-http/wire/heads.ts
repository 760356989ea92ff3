import {
  badHead,
  crlf,
  either,
  exactly,
  type Family,
  fine,
  get,
  last,
  nothing,
  refused,
  refusedAfter,
  unbroken,
} from './message.ts';

/** Messages whose head is wrong or unusual, or which are not HTTP/1.1 at all. */
export const heads: Record<string, Family> = {
  'lines that end in LF alone': (parts) => ({
    bytes: `${get(parts, `Connection: close${crlf}`).replaceAll(crlf, '\n')}${parts.random.pick(['', parts.hidden])}`,
    isRight: either(refused, exactly(200)),
  }),
  'a line end within a line': (parts) =>
    badHead(parts, `X-Odd: a${parts.random.pick(['\r', '\r\r', '\n\r', '\r\t'])}Content-Length: 5${crlf}`),
  'a folded line': (parts) =>
    badHead(parts, `X-Odd: 1${crlf}${parts.random.pick([' ', '\t', '  \t'])}Content-Length: 5${crlf}`),
  'a control character': (parts) =>
    badHead(parts, `X-Odd: a${String.fromCharCode(parts.random.pick([0, 1, 7, 8, 11, 12, 27, 127]))}b${crlf}`),
  'a name that is none': (parts) =>
    badHead(
      parts,
      `${parts.random.pick(['X Odd: 1', 'X-Odd : 1', ': 1', 'X(odd): 1', 'X\x00: 1', 'X\xe4: 1', 'no colon', 'X-Odd\t: 1', '"X": 1', '=: 1'])}${crlf}`,
    ),
  'a space before the first field': ({ hidden, credentials }) => ({
    bytes: `GET /v1/me HTTP/1.1${crlf} Host: localhost${crlf}${credentials}${crlf}${hidden}`,
    isRight: refused,
  }),
  'a field that is too large': (parts) =>
    badHead(parts, `X-Large: ${'a'.repeat(parts.random.int(17_000, 100_000))}${crlf}`),
  'a path that is too long': (parts) =>
    badHead(parts, '', `GET /v1/me?x=${'a'.repeat(parts.random.int(17_000, 100_000))} HTTP/1.1`),
  'too many fields': (parts) => badHead(parts, `a:b${crlf}`.repeat(parts.random.int(4_000, 20_000))),
  'many fields': (parts) => fine(get(parts, `a:b${crlf}`.repeat(parts.random.int(50, 200)))),
  'a method that is none': (parts) =>
    badHead(
      parts,
      '',
      `${parts.random.pick(['GE T', 'get', 'G\x01T', 'FETCH', 'GET\t', ' GET', '\xc4GET', 'X'.repeat(500), '{}', 'GET/'])} /v1/me HTTP/1.1`,
    ),
  'a method for other things': (parts) => {
    const method = parts.random.pick(['PROPFIND', 'TRACE', 'PURGE', 'LOCK', 'SEARCH', 'M-SEARCH', 'REPORT', 'OPTIONS']);
    const message = `${get(parts, '', `${method} /v1/me HTTP/1.1`)}${last}`;
    return { bytes: message, isRight: either(exactly(404, 204), exactly(405, 204)) };
  },
  'the address of another server': (parts) => fine(get(parts, '', 'GET http://elsewhere.example/v1/me HTTP/1.1')),
  'an address that is none': (parts) => {
    const target = parts.random.pick([
      'elsewhere.example:80',
      '*',
      'v1/me',
      '/v1/m e',
      'http://',
      '/v1/\x00',
      '/v1/\x7f',
      '\\v1\\me',
      '?x',
    ]);
    return {
      bytes: `${get(parts, `Connection: close${crlf}`, `GET ${target} HTTP/1.1`)}${parts.hidden}`,
      isRight: refused,
    };
  },
  'a tunnel': ({ hidden }) => ({
    bytes: `CONNECT localhost:80 HTTP/1.1${crlf}Host: localhost:80${crlf}${crlf}${hidden}`,
    isRight: refused,
  }),
  'HTTP/0.9': ({ random, hidden }) => ({
    bytes: `GET /v1/me${random.pick([crlf, '\n', ` ${crlf}`])}${crlf}${hidden}`,
    isRight: refused,
  }),
  'another version': (parts) => {
    const versions = ['HTTP/9.9', 'HTTP/1.10', 'http/1.1', 'HTTP /1.1', 'HTTP/1', 'HTTP/-1.1', 'ICE/1.0', 'HTTP/1.1 x'];
    return badHead(parts, '', `GET /v1/me ${parts.random.pick(versions)}`);
  },
  // There is one response in our own version. Bytes after a request that is not HTTP/1.1 are not a request.
  'a version that Node reads': (parts) => {
    const version = parts.random.pick(['HTTP/2.0', 'HTTP/1.0', 'RTSP/1.0']);
    return { ...badHead(parts, '', `GET /v1/me ${version}`), isRight: either(refused, exactly(200)) };
  },
  'HTTP/2': ({ hidden }) => ({
    bytes: `PRI * HTTP/2.0${crlf}${crlf}SM${crlf}${crlf}\x00\x00\x00\x04\x00\x00\x00\x00\x00${hidden}`,
    isRight: refused,
  }),
  TLS: ({ hidden }) => ({ bytes: `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${hidden}`, isRight: refused }),
  'a wrong Host': ({ random, credentials, hidden }) => {
    const hosts = [
      `Host: a${crlf}Host: b${crlf}`,
      `Host: a${crlf}Host: a${crlf}`,
      `Host: a b${crlf}`,
      `Host: a/b${crlf}`,
      `Host: user@a${crlf}`,
      `Host: a:port${crlf}`,
      '',
    ];
    return {
      bytes: `GET /v1/me HTTP/1.1${crlf}${random.pick(hosts)}${credentials}Connection: close${crlf}${crlf}${hidden}`,
      isRight: refused,
    };
  },
  'empty lines in front': (parts) => fine(`${crlf.repeat(parts.random.int(1, 3))}${get(parts, '')}`),
  'garbage behind a request': (parts) => {
    const garbage = parts.random.pick(['\x00', 'garbage', '\xff\xfe', ' ', '}{', 'HTTP/1.1 200 OK', '\x16\x03\x01']);
    return { bytes: `${get(parts, '')}${garbage}${crlf}${parts.hidden}`, isRight: refusedAfter(200) };
  },
  'garbage behind an export': (parts) => ({
    bytes: `${get(parts, '', 'GET /v1/billing/items/2026-11-01/ticket-charge HTTP/1.1')}garbage${crlf}${crlf}${parts.hidden}`,
    isRight: refusedAfter(200),
  }),
  'garbage in the middle of an export': (parts) => ({
    bytes: get(parts, '', 'GET /v1/billing/items/2026-11-01/ticket-charge HTTP/1.1'),
    later: `garbage${crlf}${crlf}${parts.hidden}`,
    // The response is broken off, or it is complete and a refusal follows.
    isRight: either(nothing, refusedAfter(200)),
  }),
  'an expectation': (parts) => {
    const lines = `Expect: ${parts.random.pick(['100-continue', 'the-unexpected', '', '100-continue, x'])}${crlf}Content-Length: ${parts.hidden.length}${crlf}`;
    return {
      bytes: `${get(parts, lines)}${parts.hidden}${last}`,
      isRight: either(exactly(200, 204), exactly(417, 204)),
    };
  },
  'an upgrade': (parts) => {
    const protocol = parts.random.pick(['h2c', 'websocket', 'TLS/1.0', 'HTTP/3']);
    const lines = `Connection: Upgrade, HTTP2-Settings${crlf}Upgrade: ${protocol}${crlf}HTTP2-Settings: AAMAAABkAAQAAP__${crlf}`;
    // The next request may be lost, but then the connection is closed.
    return { bytes: `${get(parts, lines)}${last}`, isRight: either(exactly(200), exactly(200, 204)) };
  },
  'a message that breaks off': (parts) => {
    const whole = get(parts, `Content-Length: 5${crlf}`);
    return {
      bytes: whole.slice(0, parts.random.int(1, whole.length - 1)),
      isRight: either(nothing, refused),
      answers: 0,
    };
  },
  'random bytes': ({ random }) => ({
    bytes: `${Array.from({ length: random.int(1, 2_000) }, () => String.fromCharCode(random.int(0, 255))).join('')}${crlf}${crlf}`,
    isRight: either(nothing, refused),
    answers: 0,
  }),
  'a request with bytes changed': (parts) => {
    const bytes = [...get(parts, `Content-Length: 5${crlf}X-Odd: a, b;c="d"${crlf}`)];
    for (let changes = parts.random.int(1, 4); changes > 0; changes--) {
      bytes[parts.random.int(0, bytes.length - 1)] = String.fromCharCode(parts.random.int(0, 255));
    }
    return { bytes: `${bytes.join('')}hello`, isRight: unbroken, answers: 0 };
  },
};
