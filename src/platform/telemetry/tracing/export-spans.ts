import { createNoopMeter, type Meter, type MeterProvider } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracingOptions } from './settings.ts';

/** Returns one line about a failed export, without the response of the collector. */
function describeFailure({ error }: ExportResult): string {
  const { code } = (error ?? {}) as { code?: string | number };
  return [error?.message || 'no response', code === undefined ? '' : `(${code})`].filter(Boolean).join(' ');
}

/** Reports the first failed export of an outage and its end. One line per batch would flood the log. */
function reportFailures(
  exporter: SpanExporter,
  { onFailure, onRecovery }: Pick<TracingOptions, 'onFailure' | 'onRecovery'>,
  dropped: () => number,
): SpanExporter {
  let wasFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        done(result);
        const isFailing = result.code !== ExportResultCode.SUCCESS;
        if (isFailing && !wasFailing) onFailure({ dropped: dropped(), reason: describeFailure(result) });
        if (!isFailing && wasFailing) onRecovery({ dropped: dropped() });
        wasFailing = isFailing;
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** Creates the processor of spans. It counts dropped ones, which it learns only through a meter. */
export function createBatches({ settings, onFailure, onRecovery }: TracingOptions) {
  let dropped = 0;
  const meter: Meter = Object.assign(Object.create(createNoopMeter()), {
    createCounter: () => ({
      add(count: number, attributes: Record<string, unknown> = {}) {
        if (attributes['error.type'] !== undefined) dropped += count;
      },
    }),
  });
  const selfObsMeterProvider: MeterProvider = { getMeter: () => meter };
  const url = `${settings.endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = reportFailures(
    new OTLPTraceExporter({ url, headers: { ...settings.headers } }),
    { onFailure, onRecovery },
    () => dropped,
  );
  return { processor: new BatchSpanProcessor({ exporter, selfObsMeterProvider }), dropped: () => dropped };
}
