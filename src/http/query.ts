import type { TObject, TSchema } from 'typebox';
import { ApiError, type RequestError } from '../errors.ts';

/**
 * From the raw query string to values that fit a route's schema. Fastify's validator then judges them; here only what
 * it cannot see is decided: the spellings of arrays, what counts as "not given", and scalars given twice.
 */

export type RawQuery = Map<string, string[]>;

const malformed = Symbol('malformed');

function decode(text: string): string | typeof malformed {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return malformed;
  }
}

/** `ids[]` and `ids[3]` are spellings of `ids`. */
const baseName = (name: string) => name.replace(/\[\d*\]$/, '');

export function parseQuery(text: string): RawQuery {
  const query: RawQuery = new Map();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === malformed || value === malformed) {
      const shown = (equals < 0 ? pair : pair.slice(0, equals)).slice(0, 100);
      throw invalidParameters([
        { parameter: shown, code: 'encoding', detail: 'must be percent-encoded UTF-8, such as `M%C3%BCller`' },
      ]);
    }
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

export function invalidParameters(errors: RequestError[]): ApiError {
  const listed = errors.slice(0, 100);
  const first = listed.map((e) => `${'parameter' in e ? e.parameter : e.pointer}: ${e.detail}`).slice(0, 3);
  const more = errors.length > first.length ? ` (and ${errors.length - first.length} more, see \`errors\`)` : '';
  return new ApiError('invalid-parameters', `${first.join('; ')}${more}.`, { errors: listed });
}

interface Parameter {
  kind: 'integer' | 'text' | 'words';
  isArray: boolean;
  /** A comma separates items, but not in email addresses, where it may be part of the address. */
  splitsAtCommas: boolean;
}

function describeParameter(
  name: string,
  schema: TSchema & { type?: unknown; enum?: unknown; items?: unknown },
): Parameter {
  const isArray = schema.type === 'array';
  const item = (isArray ? schema.items : schema) as { type?: unknown; enum?: unknown };
  const kind = item.type === 'integer' ? 'integer' : item.enum === undefined ? 'text' : 'words';
  return { kind, isArray, splitsAtCommas: isArray && name !== 'emails' };
}

/** Anything else stays text, for the validator to refuse with the parameter's name. */
const toInteger = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : text);

export type QueryReader = (raw: RawQuery) => Record<string, unknown>;

export function createQueryReader(schema: TObject): QueryReader {
  const parameters = new Map(
    Object.entries(schema.properties).map(([name, property]) => [name, describeParameter(name, property)]),
  );
  return (raw) => {
    const given = new Map<string, string[]>();
    const errors: RequestError[] = [];
    for (const [name, values] of raw) {
      const base = parameters.get(baseName(name))?.isArray ? baseName(name) : name;
      const known = given.get(base);
      if (known) known.push(...values);
      else given.set(base, [...values]);
    }
    const query: Record<string, unknown> = {};
    for (const [name, parameter] of parameters) {
      const values = given.get(name);
      if (values === undefined) continue;
      if (!parameter.isArray && values.length > 1) {
        errors.push({ parameter: name, code: 'repeated', detail: 'must be given once' });
        continue;
      }
      const value = readValue(parameter, values);
      if (value !== undefined) query[name] = value;
    }
    if (errors.length > 0) throw invalidParameters(errors);
    return query;
  };
}

function readValue(parameter: Parameter, values: string[]): unknown {
  const nullWord = parameter.isArray || parameter.kind !== 'text';
  const items = (parameter.splitsAtCommas ? values.flatMap((value) => value.split(',')) : values)
    .map((item) => (parameter.kind === 'text' && !parameter.isArray ? item : item.trim()))
    .filter((item) => item !== '' && !(nullWord && item === 'null'));
  const converted = parameter.kind === 'integer' ? items.map(toInteger) : items;
  if (parameter.isArray) return converted.length > 0 ? converted : undefined;
  return converted[0];
}
