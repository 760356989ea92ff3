import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  createContextKey,
  type Link,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { createBatches } from './export-spans.ts';
import type { TracingOptions, TracingSettings } from './settings.ts';
import type { Span, SpanOptions, Tracing } from './tracing.ts';

/** A collector that does not respond must not delay the end of the process. */
const stopTimeoutMillis = 2_000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

const spanName = createContextKey('span name');

function createSampler({ sampler, samplerRatio }: TracingSettings): Sampler {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(samplerRatio),
  };
  const name = sampler.replace('parentbased_', '') as keyof typeof roots;
  const root = roots[name]();
  return name === sampler ? root : new ParentBasedSampler({ root });
}

function createResource({ settings, environment, version }: TracingOptions) {
  return defaultResource().merge(
    resourceFromAttributes({
      'service.version': version,
      'service.instance.id': crypto.randomUUID(),
      'deployment.environment.name': environment,
      ...settings.resourceAttributes,
      'service.name': settings.serviceName,
    }),
  );
}

function toLinks(traceparent: string | undefined): Link[] {
  const context = traceparent === undefined ? null : parseTraceParent(traceparent);
  return context === null ? [] : [{ context }];
}

/** Not registered as the global provider: spans of libraries may contain personal data. */
export function startTracing(options: TracingOptions): Tracing {
  const { processor, dropped } = createBatches(options);
  const provider = new TracerProvider({
    sampler: createSampler(options.settings),
    resource: createResource(options),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('transit-benefits');
  const storage = new AsyncLocalStorage<Context>();
  const current = () => storage.getStore() ?? ROOT_CONTEXT;

  function findParent({ parent, link }: SpanOptions): Context {
    if (link !== undefined) return ROOT_CONTEXT;
    const remote = parent === undefined ? null : parseTraceParent(parent);
    return remote === null ? current() : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
  }

  function startSpan(description: SpanOptions): Span {
    const { name, kind, attributes = {}, link } = description;
    const parent = findParent(description);
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes, links: toLinks(link) }, parent);
    return {
      enter: (work) => storage.run(trace.setSpan(ROOT_CONTEXT, span).setValue(spanName, name), work),
      end({ attributes: added, errorType } = {}) {
        if (added !== undefined) span.setAttributes({ ...added });
        if (errorType !== undefined) {
          span.setAttribute('error.type', errorType);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  }

  return {
    isRecording: () => trace.getSpan(current())?.isRecording() ?? false,
    startSpan,
    carrier() {
      const context = current();
      const ids = trace.getSpanContext(context);
      if (ids === undefined) return undefined;
      const flags = (ids.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0');
      return {
        traceparent: `00-${ids.traceId}-${ids.spanId}-${flags}`,
        from: String(context.getValue(spanName) ?? ''),
      };
    },
    logFields() {
      const ids = trace.getSpanContext(current());
      return ids === undefined ? undefined : { trace_id: ids.traceId, span_id: ids.spanId };
    },
    dropped,
    async stop() {
      const timeout = Promise.withResolvers<void>();
      const timer = setTimeout(timeout.resolve, stopTimeoutMillis);
      await Promise.race([provider.shutdown().catch(() => {}), timeout.promise]);
      clearTimeout(timer);
    },
  };
}
