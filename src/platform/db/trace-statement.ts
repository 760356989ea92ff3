import { LRUCache } from 'lru-cache';
import { type Attributes, errorTypeOf, type Span, type Tracing } from '../telemetry/tracing/tracing.ts';

/** Texts are cut off here: some list a placeholder for each of thousands of values. */
const maxTextLength = 2_000;

interface Description {
  name: string;
  attributes: Attributes;
}

/** A process executes few texts, again and again. */
const descriptions = new LRUCache<string, Description>({ max: 500 });

function describeText(text: string): Description {
  const known = descriptions.get(text);
  if (known !== undefined) return known;
  const description = readText(text);
  descriptions.set(text, description);
  return description;
}

/** Names a statement by its first word and the first table after it. The text has placeholders, never values. */
function readText(text: string): Description {
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

/** Ends the span when the statement has, and returns the result of the statement. */
export async function endSpan<T>(span: Span, statement: Promise<T>): Promise<T> {
  try {
    const result = await statement;
    span.end();
    return result;
  } catch (error) {
    span.end({ errorType: errorTypeOf(error) });
    throw error;
  }
}
