import type { FastifyInstance } from 'fastify';
import { type TObject, Type } from 'typebox';
import type { RequestError } from './errors.ts';
import { invalidParameters, type Violation, violationErrors } from './problem.ts';
import { createQueryReader, toInteger } from './query.ts';
import { compileValidator } from './validator.ts';

/** The parameters of a request as the schema of its route describes them, and everything that is wrong with them. */
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
