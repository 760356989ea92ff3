import type { FastifyContextConfig } from 'fastify';
import type { Static, TObject, TSchema, TUnsafe } from 'typebox';
import type { Permission } from '../../domain/enums.ts';
import { type ProblemCode, problems } from './errors.ts';
import { IdempotencyHeaders } from './idempotency.ts';
import { ProblemSchema } from './problem-schema.ts';
import type { LimitName } from './rate-limit.ts';
import { DataOf, PageOf, Reference } from './schemas.ts';

const exampleOf = (code: ProblemCode) => ({
  type: `http://localhost:3000/docs/errors#${code}`,
  title: problems[code].title,
  status: problems[code].status,
  detail: problems[code].remedy,
  code,
  requestId: '01990f9e-6c1c-7d4e-b6a5-2f1f0c6f9d11',
  ...(code === 'invalid-parameters'
    ? { errors: [{ parameter: 'perPage', code: 'maximum', detail: 'must be at most 100' }] }
    : {}),
  ...(code === 'missing-permission' ? { missingPermissions: ['view-employees'] } : {}),
});

function problemResponses(codes: ProblemCode[]) {
  const byStatus = Map.groupBy(codes, (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group
          .map((code) => `${problems[code].title} (\`${code}\`): ${problems[code].remedy}`)
          .join('\n\n'),
        content: {
          'application/problem+json': {
            schema: Reference(ProblemSchema),
            examples: Object.fromEntries(group.map((code) => [code, { value: exampleOf(code) }])),
          },
        },
      },
    ]),
  );
}

export interface Operation<Q extends TObject, P extends TObject, R extends TSchema> {
  id: string;
  tag: string;
  summary: string;
  description: string;
  /** Undefined: no credentials required. An empty list: any valid key. */
  permissions?: readonly Permission[];
  /** With an empty list of permissions: a key needs at least one of these. */
  anyPermission?: readonly Permission[];
  limit?: LimitName;
  querystring?: Q;
  /** Any query is accepted and has no effect. */
  ignoresQuery?: true;
  params?: P;
  /** For the document only, unless `validatesBody`: the handler reads and validates the body. */
  body?: TSchema & { $id: string };
  validatesBody?: true;
  /** Accepts the header Idempotency-Key. The handler calls `runOnce`. */
  isIdempotent?: true;
  /** The JSON body of the 200 response, with an example. Other responses are in `responses`. */
  response?: { schema: R; description: string; example: unknown };
  responses?: Record<number, unknown>;
  /** Whether the response can be kept and validated (src/platform/http/kept-pages.ts). */
  isKept?: FastifyContextConfig['isKept'];
  problems?: ProblemCode[];
}

type NamedSchema = TSchema & { $id: string };

/** Returns the response of an operation that lists records. */
export const pageResponse = <T extends NamedSchema>(schema: T, what: string, example: Static<T>) => ({
  schema: PageOf(Reference(schema)),
  description: `One page of ${what}.`,
  example: { data: { data: [example], page: 1, perPage: 10, totalPages: 1, total: 1 } },
});

/** Returns the response of an operation that gets one record. */
export const recordResponse = <T extends NamedSchema>(schema: T, what: string, example: Static<T>) => ({
  schema: DataOf(Reference(schema)),
  description: `The ${what}.`,
  example: { data: example },
});

const etagHeader = {
  ETag: {
    type: 'string',
    description: 'Changes whenever anything of your company changes, and every day.',
  },
};
const notModified = { description: 'Nothing has changed since the `ETag` in `If-None-Match`.', type: 'null' };

function withoutName({ $id: _, ...schema }: NamedSchema) {
  return schema;
}

/** Returns the options of a route, with the problems that every operation of its kind can return. */
export function operation<
  Q extends TObject = TObject<Record<never, never>>,
  P extends TObject = TObject<Record<never, never>>,
  R extends TSchema = TUnsafe<unknown>,
>(spec: Operation<Q, P, R>) {
  const guarded: ProblemCode[] = spec.permissions
    ? [
        'invalid-credentials',
        ...(spec.permissions.length > 0 || spec.anyPermission ? (['missing-permission'] as const) : []),
        'rate-limited',
      ]
    : spec.limit
      ? ['rate-limited']
      : [];
  const codes: ProblemCode[] = [
    ...(spec.ignoresQuery ? [] : (['invalid-parameters'] as const)),
    ...guarded,
    ...(spec.isIdempotent ? (['request-in-progress', 'idempotency-key-reused'] as const) : []),
    ...(spec.problems ?? []),
    'internal-error',
    'unavailable',
  ];
  const quote = (names: readonly Permission[]) => names.map((name) => `\`${name}\``).join(', ');
  const required = spec.anyPermission
    ? `\n\nRequires at least one of ${quote(spec.anyPermission)}.`
    : spec.permissions?.length
      ? `\n\nRequires ${quote(spec.permissions)}.`
      : '';
  const config: FastifyContextConfig = spec.permissions
    ? {
        permissions: spec.permissions,
        ...(spec.anyPermission && { anyPermission: spec.anyPermission }),
        ...(spec.isKept && { isKept: spec.isKept }),
      }
    : { public: true, ...(spec.limit && { limit: spec.limit }) };
  const schema = {
    operationId: spec.id,
    tags: [spec.tag],
    summary: spec.summary,
    description: `${spec.description}${required}`,
    security: spec.permissions ? [{ apiKey: [] }] : [],
    ...(spec.permissions ? { 'x-permissions': spec.permissions } : {}),
    ...(spec.anyPermission ? { 'x-any-permission': spec.anyPermission } : {}),
    ...(spec.querystring ? { querystring: spec.querystring } : {}),
    ...(spec.params ? { params: spec.params } : {}),
    ...(spec.body ? { 'x-body': spec.body.$id } : {}),
    ...(spec.body && spec.validatesBody ? { body: withoutName(spec.body) } : {}),
    ...(spec.isIdempotent ? { headers: IdempotencyHeaders } : {}),
    response: {
      ...(spec.response
        ? {
            200: {
              description: spec.response.description,
              ...(spec.isKept ? { headers: etagHeader } : {}),
              content: {
                'application/json': {
                  schema: spec.response.schema,
                  examples: { example: { value: spec.response.example } },
                },
              },
            },
          }
        : {}),
      ...(spec.isKept ? { 304: notModified } : {}),
      ...spec.responses,
      ...problemResponses(codes),
    },
  };
  return { config, schema } as unknown as {
    config: FastifyContextConfig;
    schema: { querystring: Q; params: P; response: { 200: R; [status: number]: TSchema } };
  };
}

interface FileTexts {
  file?: string;
  etag: string;
  fileName: string;
  notModified: string;
}

/** The responses of a download. */
export const fileResponses = (
  mediaTypes: string[],
  { file = 'The file.', etag, fileName, notModified }: FileTexts,
) => ({
  200: {
    description: file,
    headers: {
      etag: { type: 'string', description: etag },
      'content-length': { type: 'integer', description: 'Size in bytes.' },
      'content-disposition': { type: 'string', description: fileName },
    },
    content: Object.fromEntries(mediaTypes.map((one) => [one, { schema: { type: 'string', format: 'binary' } }])),
  },
  304: { description: notModified, type: 'null' },
});
