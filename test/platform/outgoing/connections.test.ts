import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Resolve } from '../../../src/platform/outgoing/addresses.ts';
import { createDispatcher, type DispatcherOptions } from '../../../src/platform/outgoing/dispatcher.ts';
import { post } from '../../../src/platform/outgoing/post.ts';
import { describeWrongUrl } from '../../../src/platform/outgoing/urls.ts';
import { selfSigned } from '../../support/tls.ts';

const stops = new AsyncDisposableStack();
after(() => stops.disposeAsync());

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.defer(async () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const serve = (handle: RequestListener) => listen(createServer(handle));

function open(options: Partial<DispatcherOptions> = {}) {
  const dispatcher = createDispatcher({ allowPrivate: true, connections: 2, connectMillis: 5_000, ...options });
  stops.defer(() => dispatcher.destroy());
  return dispatcher;
}

const send = (url: string, dispatcher = open(), timeoutMillis = 5_000) =>
  post({ url, headers: { 'content-type': 'application/json' }, body: '{}' }, { dispatcher, timeoutMillis });

describe('outgoing connections', () => {
  it('are refused if the address is spelled and not public', async () => {
    const port = await serve((_request, response) => response.end('reached'));
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', 'localhost']) {
      await assert.rejects(send(`http://${host}:${port}/`, open({ allowPrivate: false })), /not at a public address/);
    }
  });

  it('are refused if the name resolves to another address than when it was checked', async () => {
    const port = await serve((_request, response) => response.end('reached'));
    const answers = ['93.184.215.14', '127.0.0.1'];
    const resolve: Resolve = async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }];
    const rules = { allowPrivate: false, resolve };
    const url = `http://rebinding.example.com:${port}/`;
    assert.equal(await describeWrongUrl(url, { ...rules, environment: 'staging' }), undefined);
    await assert.rejects(send(url, open(rules)), /not at a public address/);
  });

  it('are refused if one of several addresses is not public', async () => {
    const resolve: Resolve = async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '93.184.215.14', family: 4 },
    ];
    await assert.rejects(
      send('http://mixed.example.com:8080/', open({ allowPrivate: false, resolve })),
      /public address/,
    );
  });

  it('use an address that was checked, and are reused', async () => {
    let connections = 0;
    const server = createServer((_request, response) => response.end('reached'));
    server.on('connection', () => connections++);
    const port = await listen(server);
    let resolved = 0;
    const resolve: Resolve = async () => {
      resolved++;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const dispatcher = open({ resolve, connections: 1 });
    for (let count = 0; count < 5; count++) {
      assert.equal((await send(`http://name.example.com:${port}/`, dispatcher)).body, 'reached');
    }
    assert.deepEqual({ connections, resolved }, { connections: 1, resolved: 1 });
  });

  it('do not follow redirects', async () => {
    let reached = 0;
    const target = await serve((_request, response) => {
      reached++;
      response.end();
    });
    const location = `http://127.0.0.1:${target}/`;
    const port = await serve((_request, response) => response.writeHead(307, { location }).end('moved'));
    const response = await send(`http://127.0.0.1:${port}/`);
    assert.deepEqual({ ...response, reached }, { status: 307, retryAfter: undefined, body: 'moved', reached: 0 });
  });

  it('do not wait for a response that does not come', async () => {
    const port = await serve(() => {});
    await assert.rejects(send(`http://127.0.0.1:${port}/`, open(), 50), { code: 'RESPONSE_TIMEOUT' });
  });

  it('do not wait for the rest of a slow body', async () => {
    const port = await serve((_request, response) => void response.writeHead(200).write('slow'));
    assert.deepEqual(await send(`http://127.0.0.1:${port}/`), { status: 200, retryAfter: undefined, body: 'slow' });
  });

  it('read only the beginning of a huge body', async () => {
    let written = 0;
    const chunk = Buffer.alloc(16 * 1024, 'x');
    function* endless() {
      for (; written < 1024 * 1024 * 1024; written += chunk.length) yield chunk;
    }
    const port = await serve((_request, response) => pipeline(Readable.from(endless()), response, () => {}));
    assert.equal((await send(`http://127.0.0.1:${port}/`)).body, 'x'.repeat(1024));
    assert(written < 64 * 1024 * 1024, `${written} bytes were sent`);
  });

  it('do not uncompress a body', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    const port = await serve((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    const { body } = await send(`http://127.0.0.1:${port}/`);
    assert(body.length <= 1024 && !body.includes('\0'));
  });

  it('are refused if the certificate is not valid', async () => {
    const port = await listen(createTlsServer(selfSigned, (_request, response) => response.end('reached')));
    const resolve: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const trusting = open({ resolve, ca: selfSigned.cert });
    assert.equal((await send(`https://hooks.example.com:${port}/`, trusting)).body, 'reached');
    await assert.rejects(send(`https://hooks.example.com:${port}/`, open({ resolve })), {
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    await assert.rejects(send(`https://other.example.com:${port}/`, trusting), {
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });
});
