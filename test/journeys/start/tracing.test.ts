import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { permissions } from '../../../src/domain/enums.ts';
import { type ReceivedSpan, startCollector } from '../../support/otlp.ts';
import { useResource } from '../../support/prepare.ts';
import { type Env, run, type Serving, serve, withFolder, work } from '../../support/process.ts';
import { until } from '../../support/until.ts';

const secretNames = ['Wilhelmine', 'Zuckerschnecke', 'wilhelmine.zuckerschnecke@example.com', 'find-me-not'];

/** Creates a company with a key and an integration, and returns how to call the API. */
async function setUp(env: Env, service: Serving) {
  const cli = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(words, env);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const { id: company } = await cli('company', 'create', '--name', 'Example');
  const ofCompany = ['--company', String(company)];
  const key = await cli('key', 'create', ...ofCompany, '--name', 'HR', '--permissions', permissions.join());
  const integration = await cli('integration', 'create', ...ofCompany, '--name', 'HR', '--type', 'api-integration');
  const authorization = `Basic ${Buffer.from(`${key.username}:${key.password}`).toString('base64')}`;
  const request = (path: string, init: RequestInit = {}) =>
    fetch(`${service.url}${path}`, {
      ...init,
      headers: { authorization, 'content-type': 'application/json', ...init.headers },
    });
  return { request, base: `/hr-integrations/${integration.id}` };
}

const roster = JSON.stringify({
  syncId: 'one',
  employees: [
    {
      hrId: 'X-1',
      firstName: 'Wilhelmine',
      lastName: 'Zuckerschnecke',
      email: 'wilhelmine.zuckerschnecke@example.com',
      profileImage: null,
      dateOfBirth: '1990-04-23',
      startDate: '2024-02-01',
      terminationDate: null,
      autoSyncEmployee: true,
      absences: [],
    },
  ],
});

const remoteTrace = { id: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };

describe('traces', () => {
  const collector = useResource(startCollector);

  const named = (name: string) => collector.spans.filter((span) => span.name === name);
  const childrenOf = ({ spanId }: ReceivedSpan) => collector.spans.filter((span) => span.parentSpanId === spanId);

  it('follow a roster from the request through the queue to the statements of another process', () =>
    withFolder(async (folder) => {
      const env: Env = {
        DATA_DIR: join(folder, 'data'),
        DEMO: 'off',
        LOG_LEVEL: 'info',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=s3cret%20key',
        OTEL_RESOURCE_ATTRIBUTES: 'cloud.region=eu-1',
      };
      const api = await serve({ env: { ...env, WORKER: 'off' } });
      const stops = [() => api.signal('SIGTERM')];
      try {
        const { request, base } = await setUp(env, api);
        const worker = await work({ env: { ...env, OTEL_SERVICE_NAME: 'transit-worker' } });
        stops.unshift(() => worker.signal('SIGTERM'));
        const traceparent = `00-${remoteTrace.id}-${remoteTrace.span}-01`;
        const pushed = await request(`${base}/sync`, { method: 'POST', body: roster, headers: { traceparent } });
        assert.equal(pushed.status, 204, await pushed.text());
        await until('the sync has its outcome', async () => {
          const { data } = (await (await request(`${base}/syncs/one`)).json()) as { data: { state: string } };
          return !['accepted', 'processing'].includes(data.state);
        });
        await (await request('/employees?search=find-me-not')).arrayBuffer();
        assert.equal((await fetch(`${api.url}/health`)).status, 204);
        await worker.end('SIGTERM');
      } finally {
        for (const stop of stops) stop();
      }
      const { code, stderr } = await api.exited;
      assert.equal(code, 0, stderr);

      const [push] = named('POST /v1/hr-integrations/:id/sync');
      assert(push, `spans: ${collector.spans.map(({ name }) => name).join(', ')}`);
      assert.deepEqual([push.kind, push.parentSpanId, push.status], [2, '', 0]);
      assert.deepEqual(push.links, [remoteTrace.span], 'an unknown client does not choose the trace');
      assert.notEqual(push.traceId, remoteTrace.id);
      assert.equal(push.attributes['http.response.status_code'], 204);
      assert.equal(push.attributes['transit.company_id'], 1);
      assert.equal(push.service['service.name'], 'transit-benefits');
      assert.equal(push.service['cloud.region'], 'eu-1');

      const job = childrenOf(push).find(({ name }) => name === 'process apply-syncs');
      assert(job, 'the job continues the trace of the request');
      assert.deepEqual([job.kind, job.traceId], [5, push.traceId]);
      assert.equal(job.service['service.name'], 'transit-worker');
      const statements = (span: ReceivedSpan) => childrenOf(span).filter(({ kind }) => kind === 3);
      assert(statements(push).some(({ name }) => name === 'INSERT syncs'));
      const insert = statements(job).find(({ name }) => name.startsWith('INSERT employees'));
      assert(insert, `statements of the job: ${statements(job).map(({ name }) => name)}`);
      assert.match(String(insert.attributes['db.query.text']), /\$1/);
      // A statement that its connection has already prepared is recorded like any other.
      const executed = collector.spans.filter(({ kind }) => kind === 3);
      assert(executed.every(({ attributes }) => attributes['db.query.text']));
      assert(statements(job).filter(({ name }) => name === 'SELECT syncs').length > 1);

      const [daily] = named('process schedule-daily-runs');
      assert.equal(daily?.parentSpanId, '', 'a job of the schedule starts a trace of its own');
      assert(!collector.spans.some(({ name }) => name.includes('health')));
      assert(collector.requests.every(({ path }) => path === '/v1/traces'));
      assert(collector.requests.every(({ headers }) => headers['x-collector-key'] === 's3cret key'));
      const bytes = Buffer.concat(collector.requests.map(({ body }) => body)).toString('latin1');
      for (const name of secretNames) assert(!bytes.includes(name), `${name} was exported`);

      const lines = stderr.split('\n').filter((line) => line.includes('request completed'));
      const logged = lines.map((line) => JSON.parse(line)).find(({ route }) => route.endsWith('/sync'));
      assert.deepEqual([logged.trace_id, logged.span_id], [push.traceId, push.spanId]);
    }));

  it('do not even load their libraries when they are off', () =>
    withFolder(async (folder) => {
      const list = join(folder, 'modules');
      const recorder = new URL('../../support/record-modules.ts', import.meta.url);
      const env = { DATA_DIR: join(folder, 'data'), DEMO: 'off', RECORDED_MODULES: list };
      const service = await serve({ env: { ...env, NODE_OPTIONS: `--import=${recorder}` } });
      service.signal('SIGTERM');
      assert.equal((await service.exited).code, 0);
      const modules = (await readFile(list, 'utf8')).split('\n');
      assert(modules.some((url) => url.endsWith('/src/platform/telemetry/tracing/open.ts')));
      const loaded = modules.filter((url) => /opentelemetry\/(?!semantic-conventions|api\/)|tracing\/sdk/.test(url));
      assert.deepEqual(loaded, []);
    }));
});
