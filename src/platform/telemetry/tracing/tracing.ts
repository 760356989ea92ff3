/** Must hold no personal data: ids, names of routes, queues and tables, and the text of statements without values. */
export type Attributes = Readonly<Record<string, string | number>>;

/** What a span follows. Neither: the current span, if there is one. */
export interface SpanOrigin {
  /** The `traceparent` of a span in another process that this one continues. */
  parent?: string | undefined;
  /** The `traceparent` of a span that caused this one without being its parent. Starts a trace of its own. */
  link?: string | undefined;
}

interface SpanDescription {
  name: string;
  kind: 'server' | 'client' | 'consumer';
  attributes?: Attributes;
}

export interface SpanOptions extends SpanOrigin, SpanDescription {}

export interface Span {
  readonly isKept: boolean;
  enter<T>(work: () => T): T;
  /** Ends the span. `errorType` marks it as failed: a class or code, never a message, which may quote values. */
  end(result?: { attributes?: Attributes; errorType?: string | undefined }): void;
}

export interface Carrier {
  traceparent: string;
  from: string;
}

/** Records what the service does as OpenTelemetry spans. It never fails or delays the work that it records. */
export interface Tracing {
  /** Returns whether a span is current and its trace is kept. Without one, there is no need to record details. */
  isRecording(): boolean;
  startSpan(options: SpanOptions): Span;
  /** Starts the first span of a process. It is only described if its trace is kept, since most are not. */
  startFirstSpan(origin: SpanOrigin, describe: () => SpanDescription): Span;
  carrier(): Carrier | undefined;
  logFields(): { trace_id: string; span_id: string } | undefined;
  dropped(): number;
  stop(): Promise<void>;
}

/** Returns the class or code of an error. Its message may quote values. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

export async function inSpan<T>(tracing: Tracing, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = tracing.startSpan(options);
  try {
    const result = await span.enter(work);
    span.end();
    return result;
  } catch (error) {
    span.end({ errorType: errorTypeOf(error) });
    throw error;
  }
}
