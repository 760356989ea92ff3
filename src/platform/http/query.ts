import type { TObject, TSchema } from 'typebox';
import { createMessage } from '../../domain/messages/message.ts';
import { findNearestName } from '../../domain/nearest-name.ts';
import type { Annotations } from './annotations.ts';
import { describeError, maxListedErrors, type RequestError } from './errors.ts';

/**
 * Converts the raw query string to values for the schema of a route. The validator then checks them. This module
 * handles only what the validator cannot see: encoding, the spellings of arrays, what counts as "not given", unknown
 * names, and scalars given twice.
 */

type RawQuery = Map<string, string[]>;

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** `ids[]` and `ids[3]` are spellings of `ids`. */
const baseName = (name: string) => name.replace(/\[\d*\]$/, '');

function parseQuery(text: string, errors: RequestError[]): RawQuery {
  const query: RawQuery = new Map();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const rawName = equals < 0 ? pair : pair.slice(0, equals);
    const name = decode(rawName);
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined) {
      const parameter = name ?? rawName.slice(0, 100);
      errors.push(describeError({ parameter }, 'encoding', createMessage('value-encoding')));
      continue;
    }
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

interface Parameter {
  kind: 'integer' | 'boolean' | 'text' | 'words';
  isArray: boolean;
  /** Whether the word `null` means "not given". In free text, it is a word like any other. */
  hasNullWord: boolean;
  /** Whether a comma separates items. */
  splitsAtCommas: boolean;
}

function describeParameter(
  schema: TSchema & Annotations & { type?: unknown; enum?: unknown; format?: unknown; items?: unknown },
): Parameter {
  const isArray = schema.type === 'array';
  const item = (isArray ? schema.items : schema) as { type?: unknown; enum?: unknown };
  const kind =
    item.type === 'integer' || item.type === 'boolean' ? item.type : item.enum === undefined ? 'text' : 'words';
  const hasNullWord = isArray || kind !== 'text' || schema.format !== undefined;
  return { kind, isArray, hasNullWord, splitsAtCommas: isArray && schema.splitAtCommas !== false };
}

/** Leaves anything else as text, so that the validator refuses it with the name of the parameter. */
export const toInteger = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : text);
const toBoolean = (text: string) => (text === 'true' ? true : text === 'false' ? false : text);
const converters: Record<Parameter['kind'], (text: string) => unknown> = {
  integer: toInteger,
  boolean: toBoolean,
  text: (text) => text,
  words: (text) => text,
};

export interface ReadQuery {
  query: Record<string, unknown>;
  errors: RequestError[];
}

export type QueryReader = (text: string) => ReadQuery;

export function createQueryReader(schema: TObject): QueryReader {
  const parameters = new Map(
    Object.entries(schema.properties).map(([name, property]) => [name, describeParameter(property)]),
  );

  /** Collects all values of a parameter from all of its spellings. */
  function collect(raw: RawQuery): RawQuery {
    const given: RawQuery = new Map();
    for (const [name, values] of raw) {
      const base = parameters.get(baseName(name))?.isArray ? baseName(name) : name;
      const earlier = given.get(base);
      if (earlier) for (const value of values) earlier.push(value);
      else given.set(base, [...values]);
    }
    return given;
  }

  const known = [...parameters.keys()];
  const listing =
    known.length === 0
      ? createMessage('value-no-parameters')
      : createMessage('value-unknown-parameter', { names: known.map((name) => `\`${name}\``).join(', ') });
  /**
   * Reports an unknown parameter. Ignoring it could turn a preview into a real run, or make a filter match every
   * employee.
   */
  function describeUnknown(name: string, isListed: boolean): RequestError {
    const nearest = isListed ? findNearestName(baseName(name), known) : undefined;
    const message = nearest === undefined ? listing : createMessage('value-misspelt-parameter', { nearest });
    return describeError({ parameter: name.slice(0, 100) }, 'unknown', message);
  }

  return (text) => {
    const errors: RequestError[] = [];
    const query: Record<string, unknown> = {};
    for (const [name, values] of collect(parseQuery(text, errors))) {
      const parameter = parameters.get(name);
      if (parameter === undefined) {
        errors.push(describeUnknown(name, errors.length < maxListedErrors));
        continue;
      }
      if (!parameter.isArray && values.length > 1) {
        errors.push(describeError({ parameter: name }, 'repeated', createMessage('value-once')));
        continue;
      }
      const value = readValue(parameter, values);
      if (value !== undefined) query[name] = value;
    }
    return { query, errors };
  };
}

function readValue(parameter: Parameter, values: string[]): unknown {
  // A boolean without a value is ambiguous, so it is not treated as "not given".
  if (parameter.kind === 'boolean') return toBoolean(values[0] ?? '');
  const items = (parameter.splitsAtCommas ? values.flatMap((value) => value.split(',')) : values)
    .map((item) => (parameter.kind === 'text' && !parameter.isArray ? item : item.trim()))
    .filter((item) => item !== '' && !(parameter.hasNullWord && item === 'null'));
  const converted = items.map((item) => converters[parameter.kind](item));
  if (parameter.isArray) return converted.length > 0 ? converted : undefined;
  return converted[0];
}
