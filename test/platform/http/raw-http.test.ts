import assert from 'node:assert/strict';
import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { before, describe, it } from 'node:test';
import { compileValidator } from '../../../src/platform/http/validator.ts';
import { basic, type Credentials, useApp } from '../../support/app.ts';
import { makeCompany, makeIntegration, makeKey, useCompany } from '../../support/factories.ts';
import { anonymousClient } from '../../support/portal.ts';
import { usePusher } from '../../support/sync.ts';

const app = useApp();

describe('malformed and unusual HTTP messages', () => {
  let key: Credentials;
  let integration: number;
  before(async () => {
    const companyId = await makeCompany(app.db);
    key = await makeKey(app.db, companyId);
    integration = await makeIntegration(app.db, companyId);
  });

  /** Sends the message unchanged, and returns everything that the server sends until it closes the connection. */
  async function send(message: string): Promise<string> {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(message, 'latin1');
    await once(socket, 'close');
    return Buffer.concat(chunks).toString();
  }

  function problemOf(response: string) {
    const [head = '', body = ''] = response.split('\r\n\r\n');
    assert.match(head, /^content-type: application\/problem\+json/im);
    assert.match(head, /^x-request-id: \S+/im);
    return JSON.parse(body);
  }

  const get = (target: string, headers = '') =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${basic(key)}\r\n${headers}\r\n`;

  const malformed: [string, () => string][] = [
    ['no HTTP at all', () => 'hello\r\n\r\n'],
    ['an unknown method', () => 'FETCH /v1/employees HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['two different lengths', () => get('/v1/me', 'Content-Length: 1\r\nContent-Length: 2\r\n')],
    ['length and chunking at once', () => get('/v1/me', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n')],
    ['a negative length', () => get('/v1/me', 'Content-Length: -1\r\n')],
    ['a space before the colon', () => get('/v1/me', 'X-Odd : 1\r\n')],
    ['a NUL in a header', () => get('/v1/me', 'X-Odd: a\u0000b\r\n')],
    ['a folded header line', () => get('/v1/me', 'X-Odd: 1\r\n 2\r\n')],
    ['two Hosts', () => get('/v1/me', 'Host: x\r\n')],
    ['a Host that is none', () => get('/v1/me').replace('Host: x', 'Host: user@x/y')],
    ['an address for OPTIONS alone', () => get('*')],
    ['no Host', () => 'GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ];
  for (const [name, message] of malformed) {
    it(`responds to ${name} with a 4xx problem document`, async () => {
      const problem = problemOf(await send(message()));
      assert(problem.status >= 400 && problem.status < 500, `answered ${problem.status}`);
    });
  }

  it('responds to headers that are too large with 431', async () => {
    const problem = problemOf(await send(get('/v1/me', `X-Large: ${'a'.repeat(20_000)}\r\n`)));
    assert.equal(problem.code, 'headers-too-large');
  });

  it('responds to an address that is too long with 431', async () => {
    const problem = problemOf(await send(get(`/v1/employees?search=${'a'.repeat(20_000)}`)));
    assert.equal(problem.code, 'headers-too-large');
  });

  const oddPaths: [string, number][] = [
    ['/v1/employees/%', 400],
    ['/v1/employees/%FF', 400],
    ['/v1/employees/%00', 400],
    ['/v1/employees/1%2F2', 400],
    ['//v1/employees', 404],
    ['/v1/employees/', 400],
    ['/V1/employees', 404],
    ['/v1/employees;x=1', 404],
    ['/../../etc/passwd', 404],
  ];
  for (const [path, status] of oddPaths) {
    it(`responds to ${path} with ${status}`, async () => {
      const problem = problemOf(await send(get(path)));
      assert.equal(problem.status, status);
    });
  }

  it('does not treat the body of a request as another request', async () => {
    const smuggled = 'GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n';
    const response = await send(`${get('/v1/me', `Content-Length: ${smuggled.length}\r\n`)}${smuggled}`);
    assert.equal(response.match(/HTTP\/1\.1 /g)?.length, 1);
  });

  it('responds to the last request on a connection, whatever follows it', async () => {
    assert.match(await send(`${get('/v1/me')}garbage\r\n\r\n`), /^HTTP\/1\.1 200 /);
  });

  it('releases the database connection of an export whose client disconnects before it begins', async () => {
    const path = '/billing/items/2026-11-01/ticket-charge';
    // Send one request more than the four connections for exports.
    for (let number = 0; number < 5; number++) {
      await send(`GET /v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(key)}\r\n\r\ngarbage\r\n\r\n`);
    }
    assert.equal((await app.request(path, { key })).status, 200);
  });

  it('says that a roster is missing, however the request says so', async () => {
    const target = `/v1/hr-integrations/${integration}/sync`;
    const json = 'Content-Type: application/json\r\n';
    const heads = ['', 'Content-Length: 0\r\n', json, `${json}Content-Length: 0\r\n`];
    const messages = heads.map((head) => get(target, head));
    messages.push(`${get(target, `${json}Transfer-Encoding: chunked\r\n`)}0\r\n\r\n`);
    for (const message of messages.map((one) => one.replace('GET', 'POST'))) {
      const { code, detail } = problemOf(await send(message));
      assert.deepEqual([code, detail], ['malformed-body', 'The body is empty: send one complete JSON value in UTF-8.']);
    }
  });

  it('refuses bodies unread where no body is expected', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers, body } = await app.request('/employees', {
        method,
        key,
        headers: { 'content-type': 'text/odd' },
        body: 'x',
      });
      assert.equal(status, 405);
      assert.equal(headers.get('allow'), 'GET, HEAD');
      assert.equal(body.code, 'method-not-allowed');
    }
  });

  it('responds to every method that HTTP knows: 405 with Allow on a known path, 404 elsewhere', async () => {
    for (const method of METHODS.filter((one) => !['GET', 'HEAD', 'CONNECT'].includes(one))) {
      const sendTo = (path: string, more = '') =>
        send(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`);
      for (const more of ['', 'Content-Type: text/odd\r\nContent-Length: 0\r\n']) {
        const response = await sendTo('/v1/employees', more);
        assert.equal(problemOf(response).code, 'method-not-allowed', method);
        assert.match(response, /\r\nallow: GET, HEAD\r\n/i);
      }
      assert.equal(problemOf(await sendTo('/v1/nowhere')).code, 'route-not-found', method);
    }
  });

  it('handles CONNECT, unknown expectations and upgrades', async () => {
    assert.equal(problemOf(await send('CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n')).status, 400);
    assert.match(await send(get('/v1/me', 'Expect: the-unexpected\r\n')), /^HTTP\/1\.1 200 /);
    assert.match(await send(get('/v1/me', 'Upgrade: websocket\r\n')), /^HTTP\/1\.1 200 /);
    const upgrade = get('/v1/me', 'Upgrade: h2c\r\n').replace('Connection: close', 'Connection: Upgrade');
    const response = await send(upgrade);
    assert.match(response, /^HTTP\/1\.1 200 /);
    assert.match(response, /\r\nconnection: close\r\n/i);
  });

  it('builds links from the configured address, never from the Host header', async () => {
    for (const request of [get('/v1/me').replace('Host: x', 'Host: evil.example'), get('http://evil.example/v1/me')]) {
      const response = await send(request);
      assert.match(response, /"href":"http:\/\/localhost:3000\/v1\/me"/);
      assert(!response.includes('evil.example'));
    }
  });

  it('writes no credentials, personal data or stack traces to responses or logs', async () => {
    await app.request('/employees?search=SecretName&emails=secret@name.example', { key });
    await app.request('/employees', { key: { ...key, password: 'wrong-secret-password' } });
    const logs = app.logs.join('\n');
    for (const secret of [key.password, 'wrong-secret-password', 'SecretName', 'secret@name.example', basic(key)]) {
      assert(!logs.includes(secret), `${secret} is in the logs`);
    }
    assert(app.logs.every((line) => JSON.parse(line).msg !== undefined));
  });
});

describe('a body with a syntax error', () => {
  const pusher = usePusher(app);

  const signIn = (body: string | Uint8Array) =>
    anonymousClient(app).post('/auth/sign-in/email', body, { 'content-type': 'application/json' });

  const table: [string, string | Uint8Array, string][] = [
    [
      'a trailing comma',
      '{\n  "email": "bär@example.com",\n  "password": "x",\n}',
      'Unexpected } at line 4, column 1 (byte 52): remove the comma before it.',
    ],
    [
      'single quotes',
      "{\n  'email': 'a@example.com'\n}",
      'Unexpected \' at line 2, column 3 (byte 4): use double quotes (") around names and texts.',
    ],
    [
      'a cut-off body',
      '{\n  "email": "a@exam',
      'The body ends at line 2, column 19 (byte 20), before its JSON is complete: send all of it, a text is not closed with a quote.',
    ],
    [
      'another encoding',
      Buffer.from('{"email":"b\xe4r@example.com"}', 'latin1'),
      'Unexpected byte 0xE4 at line 1, column 12 (byte 11): it is not UTF-8, so save and send the text as UTF-8.',
    ],
    ['no body', ' ', 'The body is empty: send one complete JSON value in UTF-8.'],
  ];
  for (const [name, body, detail] of table) {
    it(`is refused with its position and a remedy, in the portal and in a roster: ${name}`, async () => {
      for (const response of [await signIn(body), await pusher.send(body as string)]) {
        assert.deepEqual([response.status, response.body.code, response.body.detail], [400, 'malformed-body', detail]);
      }
    });
  }

  it('is located within the entries of a roster', async () => {
    const text = '{\n  "syncId": "s",\n  "employees": [\n    {"hrId": "1"},\n  ]\n}';
    const { status, body } = await pusher.send(text);
    assert.deepEqual([status, body.code], [400, 'malformed-body']);
    assert.equal(body.detail, 'Unexpected ] at line 5, column 3 (byte 57): remove the comma before it.');
  });

  it('or with a key such as __proto__ is refused', async () => {
    const { status, body } = await signIn('{"__proto__": {"email": "a@example.com"}}');
    assert.deepEqual([status, body.code], [400, 'malformed-body']);
    assert.match(body.detail, /`__proto__`.* remove them/);
  });
});

describe('A value of the wrong form', () => {
  const { key } = useCompany(app);

  it('is refused with the form that is expected', async () => {
    for (const path of ['items', 'invoices', 'payroll-exports']) {
      const { status, body } = await app.request(`/billing/${path}?period=2026-13-01`, { key });
      assert.equal(status, 400);
      assert.equal(body.detail, 'period must be the first day of a month, such as 2026-11-01.', path);
    }
  });

  it('is reported once with those of other fields, however often it is sent', () => {
    const properties = {
      period: { type: 'string', format: 'first-of-month' },
      code: { type: 'string', pattern: '^[a-z]+$' },
      count: { type: 'integer' },
    };
    const validate = compileValidator({ schema: { type: 'object', properties } });
    for (const _ of [1, 2, 3]) {
      assert.equal(validate({ period: 'x', code: '1', count: 'y' }), false);
      assert.deepEqual(
        validate.errors?.map(({ instancePath, keyword, params }) => [instancePath, keyword, params[keyword]]),
        [
          ['/period', 'format', 'first-of-month'],
          ['/code', 'pattern', '^[a-z]+$'],
          ['/count', 'type', 'integer'],
        ],
      );
    }
    assert.equal(validate({ period: '2026-11-01', code: 'a', count: 1 }), true);
  });
});
