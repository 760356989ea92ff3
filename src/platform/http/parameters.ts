import type { FastifyInstance } from 'fastify';
import { type TObject, type TSchema, Type } from 'typebox';
import { createMessage } from '../../domain/messages/message.ts';
import { findNearestName } from '../../domain/nearest-name.ts';
import type { Annotations } from './annotations.ts';
import { describeError, maxListedErrors, type RequestError } from './errors.ts';
import { invalidParameters, type Violation, violationErrors } from './problem.ts';
import { compileValidator } from './validator.ts';

/** Converts the query string for the validator: encoding, spellings of arrays, unknown and repeated names. */

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
    query.getOrInsert(name, []).push(value);
  }
  return query;
}

interface Parameter {
  kind: 'integer' | 'boolean' | 'text' | 'words';
  isArray: boolean;
  /** Whether the word `null` means "not given". In free text, it is a word like any other. */
  hasNullWord: boolean;
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
const toInteger = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : text);
const toBoolean = (text: string) => (text === 'true' ? true : text === 'false' ? false : text);
const converters: Record<Parameter['kind'], (text: string) => unknown> = {
  integer: toInteger,
  boolean: toBoolean,
  text: (text) => text,
  words: (text) => text,
};

interface ReadQuery {
  query: Record<string, unknown>;
  errors: RequestError[];
}

type QueryReader = (text: string) => ReadQuery;

export function createQueryReader(schema: TObject): QueryReader {
  const parameters = new Map(
    Object.entries(schema.properties).map(([name, property]) => [name, describeParameter(property)]),
  );

  function collect(raw: RawQuery): RawQuery {
    const given: RawQuery = new Map();
    for (const [name, values] of raw) {
      const base = parameters.get(baseName(name))?.isArray ? baseName(name) : name;
      const all = given.getOrInsert(base, []);
      for (const value of values) all.push(value);
    }
    return given;
  }

  const known = [...parameters.keys()];
  const listing =
    known.length === 0
      ? createMessage('value-no-parameters')
      : createMessage('value-unknown-parameter', { names: known.map((name) => `\`${name}\``).join(', ') });
  /** Reports an unknown parameter: ignoring it could turn a preview into a real run, or widen a filter. */
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

export interface ReadParameters {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  errors: RequestError[];
}

export type ParameterReader = (params: Record<string, string | undefined>, queryText: string) => ReadParameters;

declare module 'fastify' {
  interface FastifyContextConfig {
    readParameters?: ParameterReader;
  }
}

interface ParameterSchemas {
  querystring?: TObject;
  params?: TObject;
}

const noParameters = Type.Object({});

const listIntegers = ({ properties }: TObject): string[] =>
  Object.entries(properties)
    .filter(([, schema]) => (schema as { type?: unknown }).type === 'integer')
    .map(([name]) => name);

/** Returns a function that lists what violates the schema. It adds the default values of the schema to the data. */
function createCheck(schema: TObject): (data: unknown) => RequestError[] {
  const validate = compileValidator({ schema });
  return (data) => (validate(data) ? [] : violationErrors((validate.errors ?? []) as Violation[]));
}

function createParameterReader({
  querystring = noParameters,
  params = noParameters,
}: ParameterSchemas): ParameterReader {
  const readQuery = createQueryReader(querystring);
  const integers = listIntegers(params);
  const [checkParams, checkQuery] = [createCheck(params), createCheck(querystring)];
  return (texts, queryText) => {
    const values: Record<string, unknown> = { ...texts };
    for (const name of integers) values[name] = toInteger(String(texts[name]));
    const { query, errors } = readQuery(queryText);
    return { params: values, query, errors: [...checkParams(values), ...errors, ...checkQuery(query)] };
  };
}

/**
 * Parses the path and query parameters, which arrive as text, according to the schema of the route. Reports all errors
 * in both together. The framework's own validation would stop at the first part, so it does not check them again. Applies
 * to the routes that are registered on this instance from now on.
 */
export function readParameters(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.config = {
      ...route.config,
      readParameters: createParameterReader((route.schema ?? {}) as ParameterSchemas),
    };
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const { readParameters: read } = request.routeOptions.config;
    if (read === undefined) return done();
    const { text } = request.query as { text: string };
    const { params, query, errors } = read(request.params as Record<string, string>, text);
    if (errors.length > 0) throw invalidParameters(errors);
    request.params = params;
    request.query = query;
    done();
  });
  app.setValidatorCompiler((given) =>
    given.httpPart === 'params' || given.httpPart === 'querystring' ? () => true : compileValidator(given),
  );
}
