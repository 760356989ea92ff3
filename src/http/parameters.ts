import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type TObject, Type } from 'typebox';
import type { RequestError } from '../errors.ts';
import { invalidParameters, type Violation, violationErrors } from './problem.ts';
import { createQueryReader, type QueryReader } from './query.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    readQuery?: QueryReader;
  }
}

function violationsOf(request: FastifyRequest, part: 'params' | 'querystring', data: unknown): RequestError[] {
  const validate = request.getValidationFunction(part) as
    | undefined
    | (((data: unknown) => boolean) & { errors?: Violation[] });
  if (validate === undefined || validate(data)) return [];
  return violationErrors(validate.errors ?? []);
}

const noParameters = Type.Object({});

/**
 * Parses the path and query parameters, which arrive as text, according to the schema of the route. Reports all errors
 * in both together. The framework's own validation, which runs later, would stop at the first part. Applies to the
 * routes that are registered on this instance from now on.
 */
export function readParameters(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const querystring = (route.schema?.querystring as TObject | undefined) ?? noParameters;
    route.config = { ...route.config, readQuery: createQueryReader(querystring) };
  });
  app.addHook('preValidation', async (request) => {
    const errors: RequestError[] = [];
    const params = request.params as Record<string, unknown>;
    if (typeof params.id === 'string' && /^-?\d+$/.test(params.id)) params.id = Number(params.id);
    errors.push(...violationsOf(request, 'params', params));
    const { readQuery } = request.routeOptions.config;
    if (readQuery !== undefined) {
      const read = readQuery((request.query as { text: string }).text);
      request.query = read.query;
      errors.push(...read.errors, ...violationsOf(request, 'querystring', read.query));
    }
    if (errors.length > 0) throw invalidParameters(errors);
  });
}
