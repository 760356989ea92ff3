import { type Attributes, errorTypeOf, type Span, type Tracing } from '../telemetry/tracing/tracing.ts';

/** Texts are cut off here: some list a placeholder for each of thousands of values. */
const maxTextLength = 2_000;

interface Description {
  name: string;
  attributes: Attributes;
}

/** Names a statement by its first word and the first table after it. The text has placeholders, never values. */
function describeText(text: string): Description {
  const operation = (/[a-z]+/i.exec(text)?.[0] ?? 'statement').toUpperCase();
  const table = /\b(?:from|into|update)\s+"?([a-z_][\w.]*)/i.exec(text)?.[1];
  return {
    name: table === undefined ? operation : `${operation} ${table}`,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': text.slice(0, maxTextLength),
      ...(table === undefined ? {} : { 'db.collection.name': table }),
    },
  };
}

/** Starts the span of a statement if it is part of a trace. Those that poll are not. */
export const startStatement = (tracing: Tracing | undefined, text: string): Span | undefined =>
  tracing?.isRecording() ? tracing.startSpan({ ...describeText(text), kind: 'client' }) : undefined;

export async function traceStatement<T>(tracing: Tracing, text: string, execute: () => Promise<T>): Promise<T> {
  const span = startStatement(tracing, text);
  if (span === undefined) return execute();
  try {
    const result = await execute();
    span.end();
    return result;
  } catch (error) {
    span.end({ errorType: errorTypeOf(error) });
    throw error;
  }
}
