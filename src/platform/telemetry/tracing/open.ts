import type { TracingOptions, TracingSettings } from './settings.ts';
import type { Tracing } from './tracing.ts';

/** Starts tracing if it is configured. Otherwise the SDK is not even loaded. */
export async function openTracing({
  settings,
  ...options
}: Omit<TracingOptions, 'settings'> & { settings: TracingSettings | undefined }): Promise<Tracing | undefined> {
  if (settings === undefined) return undefined;
  const { startTracing } = await import('./sdk.ts');
  return startTracing({ settings, ...options });
}
