import type { RouteOptions } from 'fastify';
import { CorrectionsBody } from '../../src/features/corrections/contract.ts';
import { ForecastBody } from '../../src/features/forecast/contract.ts';
import { SubscriptionRequestBody, SubscriptionRequestsBody } from '../../src/features/subscriptions/contract.ts';
import type { TestApp } from '../../test/support/app.ts';
import { operations as documented } from '../../test/support/openapi.ts';
import type { Schema } from './schema.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  schema: Schema;
}

export interface Operation {
  name: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** The schema of the body. `roster` if the handler parses a roster. */
  body?: Schema | 'roster';
  /** The statuses with which the operation reports success. Unknown for the portal. */
  success: number[];
  permissions?: string[];
  isPortal: boolean;
  isPublic: boolean;
}

/** The OpenAPI document has no word for the first of a month. */
const refine = (schema: Schema): Schema =>
  schema.format === 'date' ? { ...schema, format: 'first-of-month' } : schema;

/** Statuses of valid requests whose success depends on the data: a sequence that the company does not have is refused. */
const refusals: Readonly<Record<string, number[]>> = {
  listEvents: [400],
  // By dates: of a consent in the future, or of what is too early.
  requestSubscriptionChange: [400, 409],
  requestSubscriptionChanges: [400],
};

/** The schemas of bodies that are no roster. */
const bodies: Readonly<Record<string, Schema>> = {
  requestSubscriptionChange: SubscriptionRequestBody as Schema,
  requestSubscriptionChanges: SubscriptionRequestsBody as Schema,
  correctBillingItems: CorrectionsBody as Schema,
  forecastBilling: ForecastBody as object as Schema,
};

export const apiOperations: Operation[] = documented.map((operation) => ({
  name: operation.operationId,
  method: operation.method,
  path: `/v1${operation.path}`,
  parameters: operation.parameters.map(({ name, in: place, schema }) => ({ name, in: place, schema: refine(schema) })),
  ...(operation.requestBody ? { body: bodies[operation.operationId] ?? ('roster' as const) } : {}),
  success: [
    ...Object.keys(operation.responses)
      .map(Number)
      .filter((status) => status < 400 && status !== 304),
    ...(refusals[operation.operationId] ?? []),
  ],
  ...(operation.permissions ? { permissions: operation.permissions } : {}),
  isPortal: false,
  isPublic: operation.permissions === undefined,
}));

const isRosterUpload = (url: string) => /\/integrations\/:id\/(preview|sync)$/.test(url);

function readRoute({ url, schema, config }: RouteOptions, method: string): Operation {
  const { params, querystring, body } = (schema ?? {}) as Record<string, Schema | undefined>;
  const parametersIn = (place: Parameter['in'], { properties = {} }: Schema = {}): Parameter[] =>
    Object.entries(properties).map(([name, one]) => ({ name, in: place, schema: one }));
  return {
    name: `${method} ${url}`,
    method,
    path: url.replaceAll(/:(\w+)/g, '{$1}'),
    parameters: [...parametersIn('path', params), ...parametersIn('query', querystring)],
    ...(isRosterUpload(url) ? { body: 'roster' } : body ? { body } : {}),
    success: [],
    isPortal: true,
    isPublic: (config as { public?: boolean } | undefined)?.public === true,
  };
}

export const listPortalOperations = ({ routes }: TestApp): Operation[] =>
  routes.flatMap((route) => {
    const { url, method } = route;
    // A route with several methods refuses all that the address does not have.
    const isOperation = url.startsWith('/portal/api/') && typeof method === 'string' && method !== 'HEAD';
    return isOperation ? [readRoute(route, method)] : [];
  });
