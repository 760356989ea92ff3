import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type TObject, Type } from 'typebox';
import type { RequestError } from '../errors.ts';
import { invalidParameters, type Violation, violationErrors } from './problem.ts';
import { createQueryReader, type QueryReader, toInteger } from './query.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    readQuery?: QueryReader;
    /** Names of the path parameters that are integers. */
    integerParams?: readonly string[];
  }
}

function violationsOf(request: FastifyRequest, part: 'params' | 'querystring', data: unknown): RequestError[] {
  const validate = request.getValidationFunction(part) as
    | undefined
    | (((data: unknown) => boolean) & { errors?: Violation[] });
  if (validate === undefined || validate(data)) return [];
  return violationErrors(validate.errors ?? []);
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

/**
 * Parses the path and query parameters, which arrive as text, according to the schema of the route. Reports all errors
 * in both together. The framework's own validation, which runs later, would stop at the first part. Applies to the
 * routes that are registered on this instance from now on.
 */
export function readParameters(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { querystring = noParameters, params = noParameters } = (route.schema ?? {}) as ParameterSchemas;
    route.config = {
      ...route.config,
      readQuery: createQueryReader(querystring),
      integerParams: listIntegers(params),
    };
  });
  app.addHook('preValidation', async (request) => {
    const errors: RequestError[] = [];
    const params = request.params as Record<string, string | number>;
    const { readQuery, integerParams = [] } = request.routeOptions.config;
    for (const name of integerParams) params[name] = toInteger(String(params[name]));
    errors.push(...violationsOf(request, 'params', params));
    if (readQuery !== undefined) {
      const read = readQuery((request.query as { text: string }).text);
      request.query = read.query;
      errors.push(...read.errors, ...violationsOf(request, 'querystring', read.query));
    }
    if (errors.length > 0) throw invalidParameters(errors);
  });
}
