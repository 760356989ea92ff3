import assert from 'node:assert/strict';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { listMyRoutes, listPortalRoutes, type PortalRoute } from '../../scripts/portal-routes.ts';
import { type ProblemCode, problems } from '../../src/platform/http/errors.ts';
import * as messages from '../../src/platform/http/message-schema.ts';
import * as portalSchemas from '../../src/platform/http/portal/schemas.ts';
import * as schemas from '../../src/platform/http/schemas.ts';

const source = join(import.meta.dirname, '../../src');
const contracts = await Array.fromAsync(glob('{features/**,portal,my}/{,my-}contract.ts', { cwd: source }));
const modules: object[] = await Promise.all(contracts.map((file) => import(join(source, file))));

// Most validators check one response, so compiling them quickly matters, not how fast they are.
const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
formats.default(ajv);

/** A reference stands for the whole schema, as in the OpenAPI document: what is written beside it does not count. */
const withoutSiblings = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (_key, value) => (value?.$ref ? { $ref: value.$ref } : value));

for (const schema of [messages, schemas, portalSchemas, ...modules].flatMap((module) => Object.values(module))) {
  if (typeof schema?.$id === 'string' && ajv.getSchema(schema.$id) === undefined)
    ajv.addSchema(withoutSiblings(schema));
}

const problemReference = { $ref: `${portalSchemas.PortalProblemSchema.$id}#` };

const portalRoutes = await listPortalRoutes();
const myRoutes = await listMyRoutes();

const patternOf = (url: string) => new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`);

/** Returns the problems of an operation: its own, and those that every operation of its kind can return. */
function listProblems({ method, config, schema }: PortalRoute): ProblemCode[] {
  const { portal: ability, employee } = config ?? {};
  return [
    'invalid-parameters',
    ...(schema.body ? (['invalid-body', 'malformed-body', 'body-too-large', 'unsupported-media-type'] as const) : []),
    ...(ability === undefined ? [] : (['not-signed-in', 'second-factor-missing'] as const)),
    ...(employee ? (['not-signed-in'] as const) : []),
    ...(ability === undefined || ability === 'read' ? [] : (['missing-role'] as const)),
    ...(method === 'GET' ? [] : (['cross-site-request'] as const)),
    ...schema['x-problems'],
    'rate-limited',
    'internal-error',
    'unavailable',
  ];
}

function assertMatches(schema: object, body: unknown): void {
  assert(ajv.validate(schema, body), `${ajv.errorsText(ajv.errors)}\n${JSON.stringify(body)?.slice(0, 2000)}`);
}

interface Received {
  status: number;
  contentType: string | null;
  body: unknown;
}

/** Throws unless a route declares exactly such a response. `path` is without its query. */
const createAssert = (routes: readonly PortalRoute[]) => (method: string, path: string, received: Received) => {
  const { status, contentType, body } = received;
  const named = routes.filter((route) => route.method === method && patternOf(route.url).test(path));
  // An address without parameters comes before one with.
  const route = named.find(({ url }) => url === path) ?? named[0];
  const mediaType = contentType?.split(';')[0];
  if (route === undefined) {
    assert([404, 405].includes(status), `${method} ${path} is no route, yet answered ${status}.`);
    assertMatches(problemReference, body);
    return;
  }
  const name = `${method} ${route.url}`;
  if (status >= 400) {
    const { code } = body as { code: ProblemCode };
    const declared = listProblems(route).some((problem) => problems[problem].status === status);
    assert(declared, `${name} answered ${status} (${code}), which it does not declare.`);
    assert.equal(mediaType, 'application/problem+json', name);
    assertMatches(problemReference, body);
    return;
  }
  const schema = route.schema.response[status];
  assert(schema, `${name} answered ${status}, which it does not declare.`);
  if (schema.type === 'null') assert.equal(mediaType, undefined, `${name} ${status} is declared without a body.`);
  else if (schema.content !== undefined) assert(mediaType && mediaType in schema.content, `${name}: ${contentType}`);
  else {
    assert.equal(mediaType, 'application/json', name);
    assertMatches(schema, body);
  }
};

export const assertPortalDocumented = createAssert(portalRoutes);
export const assertMyDocumented = createAssert(myRoutes);
