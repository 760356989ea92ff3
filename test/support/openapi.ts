import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Response {
  content?: Record<string, { schema?: { $ref?: string } }>;
}

export interface Operation {
  operationId: string;
  method: string;
  path: string;
  parameters: { name: string; in: 'path' | 'query'; required?: boolean; schema: Record<string, unknown> }[];
  permissions: string[] | undefined;
  /** A key needs at least one of these. */
  anyPermission: string[] | undefined;
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
  responses: Record<string, Response>;
}

type RawOperation = Omit<Operation, 'method' | 'path' | 'permissions' | 'anyPermission' | 'parameters'> & {
  parameters?: Operation['parameters'];
  'x-permissions'?: string[];
  'x-any-permission'?: string[];
};

interface Document {
  paths: Record<string, Record<string, RawOperation>>;
  components: { schemas: Record<string, { examples?: unknown[] }> };
}

async function readDocument(name: string): Promise<Document> {
  return JSON.parse(await readFile(new URL(`../../openapi/${name}`, import.meta.url), 'utf8'));
}

const listOperations = ({ paths }: Document): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      permissions: operation['x-permissions'],
      anyPermission: operation['x-any-permission'],
    })),
  );

export const openapiDocument = await readDocument('openapi.json');
export const operations = listOperations(openapiDocument);

// Most validators check one response, so compiling them quickly matters, not how fast they are.
const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
formats.default(ajv);
ajv.addSchema(openapiDocument, 'openapi');

/** Responses of these types are bytes, which no schema describes. */
const files = new Set([
  'application/pdf',
  'application/xml',
  'application/vnd.apple.pkpass',
  'text/csv',
  'text/html',
  'text/plain',
  'application/x-ndjson',
]);

const segments = (path: string) => path.split('/').length;

function matches(template: string, path: string): boolean {
  const pattern = template.replace(/\{[^}]+\}/g, '[^/]+');
  return segments(template) === segments(path) && new RegExp(`^${pattern}$`).test(path);
}

const pointer = (...keys: string[]) =>
  keys
    .map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
    .map(encodeURIComponent)
    .join('/');

type AssertDocumented = (
  method: string,
  path: string,
  received: { status: number; contentType: string | null; body: unknown },
) => void;

/** `name` is the name under which the document was added to the validator. */
const assertDocumentedIn =
  (name: string, described: Operation[]): AssertDocumented =>
  (method, sentPath, { status, contentType, body }) => {
    // The health check is the only path that ignores a trailing slash.
    const path = sentPath === '/health/' ? '/health' : sentPath;
    const operation = described.find((candidate) => candidate.method === method && matches(candidate.path, path));
    if (operation === undefined) {
      assert([404, 405].includes(status), `${method} ${path} is not in the OpenAPI document, yet answered ${status}.`);
      assertMatches(`${name}#/components/schemas/Problem`, body);
      return;
    }
    const response = operation.responses[String(status)];
    assert(response, `${operation.operationId} answered ${status}, which the OpenAPI document does not name.`);
    const mediaType = contentType?.split(';')[0];
    if (response.content === undefined) {
      assert.equal(mediaType, undefined, `${operation.operationId} ${status} is documented without a body.`);
      return;
    }
    assert(mediaType && response.content[mediaType], `${operation.operationId} ${status} answered ${contentType}.`);
    if (files.has(mediaType)) return;
    const shared = response.content[mediaType].schema?.$ref;
    if (shared !== undefined) return assertMatches(`${name}${shared}`, body);
    const place = pointer(
      'paths',
      operation.path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      mediaType,
      'schema',
    );
    assertMatches(`${name}#/${place}`, body);
  };

/** Throws unless the OpenAPI document describes exactly such a response for this path and method. */
export const assertDocumented = assertDocumentedIn('openapi', operations);

function assertMatches(reference: string, body: unknown): void {
  const validate = ajv.getSchema(reference);
  assert(validate, `No schema at ${reference}.`);
  assert(validate(body), `${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)?.slice(0, 2000)}`);
}
