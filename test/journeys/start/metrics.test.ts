import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { freePort, serve, withFolder } from '../../support/process.ts';
import { probe } from '../../support/scrape.ts';
import { until } from '../../support/until.ts';

describe('Metrics', () => {
  it('are served on a separate port, by route pattern, and never on the port of the API', () =>
    withFolder(async (folder) => {
      const metricsPort = await freePort();
      const metricsUrl = `http://127.0.0.1:${metricsPort}`;
      const env = { DATA_DIR: join(folder, 'data'), DEMO: 'off', HOST: '0.0.0.0' };
      const service = await serve({ env: { ...env, METRICS_PORT: String(metricsPort) } });
      try {
        assert.equal((await fetch(`${service.url}/health`)).status, 204);
        assert.equal((await fetch(`${service.url}/employees/123?search=secret`)).status, 401);
        const response = await fetch(`${metricsUrl}/metrics`);
        assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
        const text = await response.text();
        assert.match(text, /http_request_duration_seconds_count\{method="GET",route="\/v1\/health",status="204"\} 1/);
        assert.match(text, /route="\/v1\/employees\/:id",status="401"/);
        assert.match(text, /^process_resident_memory_bytes \d+/m);
        assert.doesNotMatch(text, /secret/);
        // The worker of the same process is reported on the same port.
        const idle = /^transit_database_pool_waiting\{pool="jobs"\} 0$/m;
        const scrape = async () => (await fetch(`${metricsUrl}/metrics`)).text();
        await until('no job waits for a connection', async () => idle.test(await scrape()));
        await until('it is ready', async () => (await probe(metricsUrl, '/ready')).code === 200);
        assert.equal((await fetch(`${metricsUrl}/v1/health`)).status, 404);
        assert.equal((await fetch(new URL('/metrics', service.url))).status, 404);
        // The API listens on every address of the machine, the metrics on one.
        await assert.rejects(fetch(`http://127.0.0.2:${metricsPort}/metrics`));
      } finally {
        service.signal('SIGTERM');
      }
      assert.equal((await service.exited).code, 0);
    }));
});
