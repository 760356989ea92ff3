import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../../src/platform/config/config.ts';
import { openTracing } from '../../../src/platform/telemetry/tracing/open.ts';
import type { ExportProblem, TracingSettings } from '../../../src/platform/telemetry/tracing/settings.ts';
import { inSpan, type Tracing } from '../../../src/platform/telemetry/tracing/tracing.ts';
import { startCollector } from '../../support/otlp.ts';
import { until } from '../../support/until.ts';

const readTracing = (env: Record<string, string>) => readConfig(env).tracing;

async function withTracing(env: Record<string, string>, work: (tracing: Tracing, events: string[]) => Promise<void>) {
  const events: string[] = [];
  const report = (name: string) => (problem: ExportProblem) => events.push(`${name} ${problem.dropped}`);
  const settings = readTracing(env) as TracingSettings;
  const tracing = await openTracing({
    settings,
    environment: 'staging',
    version: '1.0.0',
    onFailure: report('failure'),
    onRecovery: report('recovery'),
  });
  assert(tracing);
  try {
    await work(tracing, events);
  } finally {
    await tracing.stop();
  }
}

/** Ends as many spans as the processor exports at once, so that it does not wait for more. */
function endBatch(tracing: Tracing): void {
  for (let count = 0; count < 512; count++) tracing.startSpan({ name: 'batch', kind: 'server' }).end();
}

describe('tracing', () => {
  it('drops and counts spans that the collector refuses, and reports each outage once', async () => {
    const collector = await startCollector();
    collector.responds.status = 400;
    await withTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, async (tracing, events) => {
      endBatch(tracing);
      await until('the first batch has failed', () => events.length === 1);
      endBatch(tracing);
      await until('the second batch has failed', () => tracing.dropped() === 1024);
      collector.responds.status = 200;
      endBatch(tracing);
      await until('a batch has arrived', () => events.length === 2);
      assert.deepEqual(events, ['failure 512', 'recovery 1024']);
      assert.equal(collector.spans.length, 512);
    });
    await collector.stop();
  });

  it('stops although nothing listens at the endpoint', async () => {
    await withTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, async (tracing) => {
      await inSpan(tracing, { name: 'lost', kind: 'server' }, async () => assert(tracing.isRecording()));
      assert(!tracing.isRecording());
    });
  });

  it('continues, links and samples as the sender and the settings say', async () => {
    const collector = await startCollector();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, OTEL_TRACES_SAMPLER: 'parentbased_always_off' };
    const remote = (flags: string) => `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`;
    await withTracing(env, async (tracing) => {
      tracing.startSpan({ name: 'kept', kind: 'consumer', parent: remote('01') }).end({ errorType: '40P01' });
      tracing.startSpan({ name: 'not kept', kind: 'consumer', parent: remote('00') }).end();
      const unkept = tracing.startSpan({ name: 'own trace', kind: 'consumer', link: remote('01') });
      // The trace is not kept, but its ids travel on, so that nobody keeps a part of it.
      unkept.enter(() => assert.match(tracing.carrier()?.traceparent ?? '', /^00-[\da-f]{32}-[\da-f]{16}-00$/));
      unkept.enter(() => assert(!tracing.isRecording()));
      unkept.end();
    });
    const [kept, ...others] = collector.spans;
    assert.deepEqual(others, []);
    assert.deepEqual([kept?.name, kept?.parentSpanId, kept?.status], ['kept', 'b7ad6b7169203331', 2]);
    assert.equal(kept?.attributes['error.type'], '40P01');
    await collector.stop();
  });

  it('describes only spans of traces that are kept', async () => {
    const collector = await startCollector();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' };
    const remote = (flags: string) => `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`;
    let described = 0;
    const describe = () => {
      described += 1;
      return { name: 'first', kind: 'server' } as const;
    };
    await withTracing({ ...env, OTEL_TRACES_SAMPLER_ARG: '0.25' }, async (tracing) => {
      for (let count = 0; count < 400; count++) {
        const span = tracing.startFirstSpan({}, describe);
        span.enter(() => assert.equal(tracing.isRecording(), span.isKept));
        span.end();
      }
      assert(described > 50 && described < 150, `${described} of 400`);
      tracing.startFirstSpan({ parent: remote('01') }, describe).end();
      const unkept = tracing.startFirstSpan({ parent: remote('00') }, describe);
      unkept.enter(() => {
        assert.match(tracing.carrier()?.traceparent ?? '', /^00-[\da-f]{32}-[\da-f]{16}-00$/);
        assert.equal(tracing.logFields(), undefined);
        // What it causes is not kept either.
        tracing.startSpan({ name: 'part', kind: 'consumer', parent: tracing.carrier()?.traceparent }).end();
      });
    });
    assert.equal(collector.spans.length, described);
    assert.equal(collector.spans.filter(({ parentSpanId }) => parentSpanId === 'b7ad6b7169203331').length, 1);
    await collector.stop();
  });

  it('has settings that report every mistake without repeating credentials', () => {
    assert.equal(readTracing({}), undefined);
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };
    const { serviceName, sampler } = readTracing(endpoint) ?? {};
    assert.deepEqual([serviceName, sampler], ['transit-benefits', 'parentbased_always_on']);
    const wrong = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'pa55word',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_TRACES_SAMPLER: 'sometimes',
      OTEL_TRACES_SAMPLER_ARG: '2',
      OTEL_RESOURCE_ATTRIBUTES: 'a=%',
    };
    assert.throws(
      () => readTracing(wrong),
      ({ message }: Error) =>
        Object.keys(wrong).every((name) => message.includes(`${name} must be`)) && !message.includes('pa55word'),
    );
  });
});
