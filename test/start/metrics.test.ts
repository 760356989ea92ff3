import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { freePort, serve, withFolder } from '../support/process.ts';

describe('metrics', () => {
  it('are served on a separate port, by route pattern, and never on the port of the API', async () => {
    await withFolder(async (folder) => {
      const metricsPort = await freePort();
      const env = { DATA_DIR: join(folder, 'data'), DEMO: 'off', HOST: '0.0.0.0' };
      const service = await serve({ env: { ...env, METRICS_PORT: String(metricsPort) } });
      try {
        assert.equal((await fetch(`${service.url}/health`)).status, 204);
        assert.equal((await fetch(`${service.url}/employees/123?search=secret`)).status, 401);
        const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
        assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
        const text = await response.text();
        assert.match(text, /http_request_duration_seconds_count\{method="GET",route="\/v1\/health",status="204"\} 1/);
        assert.match(text, /route="\/v1\/employees\/:id",status="401"/);
        assert.match(text, /^process_resident_memory_bytes \d+/m);
        assert.doesNotMatch(text, /secret/);
        assert.equal((await fetch(`http://127.0.0.1:${metricsPort}/v1/health`)).status, 404);
        assert.equal((await fetch(new URL('/metrics', service.url))).status, 404);
        // The API listens on every address of the machine, the metrics on one.
        await assert.rejects(fetch(`http://127.0.0.2:${metricsPort}/metrics`));
      } finally {
        service.signal('SIGTERM');
      }
      assert.equal((await service.exited).code, 0);
    });
  });
});
