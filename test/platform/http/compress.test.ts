import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { compressJson } from '../../../src/platform/http/compress.ts';

describe('responses in JSON', () => {
  const long = { data: 'ä'.repeat(2_000) };
  const app = fastify();
  app.addHook('onSend', compressJson);
  app.get('/long', () => long);
  app.get('/short', () => ({ data: 'ä' }));

  const get = (url: string, encoding: string | undefined) =>
    app.inject({ url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } });

  it('are compressed for clients that accept it', async () => {
    for (const encoding of ['gzip', 'gzip, deflate, br', 'br;q=1, gzip;q=0.5', '*']) {
      const { headers, rawPayload } = await get('/long', encoding);
      assert.equal(headers['content-encoding'], 'gzip', encoding);
      assert.equal(Number(headers['content-length']), rawPayload.length);
      assert.deepEqual(JSON.parse(gunzipSync(rawPayload).toString()), long);
      assert.equal(headers.vary, 'accept-encoding');
    }
  });

  it('are left as they are for others, and if they are short', async () => {
    for (const encoding of [undefined, 'br', 'identity', 'gzip;q=0', 'br, gzip; q=0.0']) {
      const { headers, json } = await get('/long', encoding);
      assert.equal(headers['content-encoding'], undefined, String(encoding));
      assert.equal(headers.vary, 'accept-encoding');
      assert.deepEqual(json(), long);
    }
    assert.equal((await get('/short', 'gzip')).headers['content-encoding'], undefined);
  });
});
