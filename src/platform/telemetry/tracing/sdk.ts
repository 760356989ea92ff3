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
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { createBatches } from './export-spans.ts';
import type { TracingOptions, TracingSettings } from './settings.ts';
import type { Span, SpanOptions, SpanOrigin, Tracing } from './tracing.ts';

/** A collector that does not respond must not delay the end of the process. */
const stopTimeoutMillis = 2_000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

const spanName = createContextKey('span name');

/** The context of all traces that are not kept and were never described. It has no ids of its own. */
const unkeptContext = ROOT_CONTEXT.setValue(spanName, '');

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
  const sampler = createSampler(options.settings);
  const ids = new RandomIdGenerator();
  /** The id of the trace that is kept and about to begin. */
  let keptId: string | undefined;
  const provider = new TracerProvider({
    sampler,
    idGenerator: {
      generateSpanId: ids.generateSpanId,
      generateTraceId() {
        const id = keptId ?? ids.generateTraceId();
        keptId = undefined;
        return id;
      },
    },
    resource: createResource(options),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('transit-benefits');
  const storage = new AsyncLocalStorage<Context>();
  const unkept: Span = { isKept: false, enter: (work) => storage.run(unkeptContext, work), end: () => {} };
  const current = () => storage.getStore() ?? ROOT_CONTEXT;

  function findParent({ parent, link }: SpanOrigin): Context {
    if (link !== undefined) return ROOT_CONTEXT;
    const remote = parent === undefined ? null : parseTraceParent(parent);
    return remote === null ? current() : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
  }

  /** Returns whether the trace is kept, by the rules of the sampler for a span that has no description yet. */
  function keeps(origin: SpanOrigin): boolean {
    const parent = origin.parent === undefined ? ROOT_CONTEXT : findParent(origin);
    const continued = trace.getSpanContext(parent)?.traceId;
    const id = continued ?? ids.generateTraceId();
    const { decision } = sampler.shouldSample(parent, id, '', SpanKind.SERVER, {}, []);
    if (decision === SamplingDecision.NOT_RECORD) return false;
    if (continued === undefined) keptId = id;
    return true;
  }

  function startSpan(description: SpanOptions): Span {
    const { name, kind, attributes = {}, link } = description;
    const parent = findParent(description);
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes, links: toLinks(link) }, parent);
    return {
      isKept: span.isRecording(),
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
    startFirstSpan: (origin, describe) => (keeps(origin) ? startSpan({ ...origin, ...describe() }) : unkept),
    carrier() {
      const context = current();
      if (context === unkeptContext) {
        // Whoever continues this trace must not keep a part of it.
        return { traceparent: `00-${ids.generateTraceId()}-${ids.generateSpanId()}-00`, from: '' };
      }
      const span = trace.getSpanContext(context);
      if (span === undefined) return undefined;
      const flags = (span.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0');
      return {
        traceparent: `00-${span.traceId}-${span.spanId}-${flags}`,
        from: String(context.getValue(spanName) ?? ''),
      };
    },
    logFields() {
      const span = trace.getSpanContext(current());
      return span === undefined ? undefined : { trace_id: span.traceId, span_id: span.spanId };
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
