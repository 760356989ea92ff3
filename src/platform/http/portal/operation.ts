import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { type TObject, type TSchema, type TUnsafe, Type } from 'typebox';
import type { Ability } from '../../../domain/roles.ts';
import type { ProblemCode } from '../errors.ts';
import type { LimitName } from '../rate-limit.ts';

export const NoContent = Type.Unsafe<undefined>({ type: 'null' });

export const FileOf = (...mediaTypes: string[]) =>
  Type.Unsafe<NodeJS.ReadableStream>({
    content: Object.fromEntries(mediaTypes.map((one) => [one, { schema: { type: 'string', format: 'binary' } }])),
  });

export interface PortalOperation<Q extends TSchema, P extends TSchema, B extends TSchema, R = unknown> {
  summary: string;
  description?: string;
  /**
   * Who may use it: everybody (`public`), every signed-in user (`read`), or the roles with this ability. On the
   * employee's page, every signed-in employee (`employee`).
   */
  access: 'public' | 'read' | 'employee' | Ability;
  /** Whether the user must have signed in, or proven who they are, within the last 15 minutes. */
  stepUp?: boolean;
  /** Whether a session of a company's identity provider may use it. By default, it changes nothing of the account. */
  anySession?: boolean;
  limit?: LimitName;
  querystring?: Q;
  params?: P;
  body?: B;
  /** The successful response by its status, which a handler need not set. Default: 204 without a body. */
  response?: R;
  /** The problems of this operation, besides those that every one of its kind can return. Tests allow no others. */
  problems?: readonly ProblemCode[];
}

/** Returns the options of a portal route: who may use it, and its schema, which the OpenAPI document leaves out. */
export function portalOperation<
  R extends Record<number, TSchema> = { 204: typeof NoContent },
  Q extends TSchema = TObject<Record<never, never>>,
  P extends TSchema = TObject<Record<never, never>>,
  B extends TSchema = TUnsafe<unknown>,
>(spec: PortalOperation<Q, P, B, R>) {
  const { access, limit, stepUp, anySession, problems = [], response = { 204: NoContent }, ...described } = spec;
  const [status = 200] = Object.keys(response).map(Number);
  const config: FastifyContextConfig = {
    sendsMessages: true,
    ...(access === 'public'
      ? { public: true, ...(limit && { limit }) }
      : access === 'employee'
        ? { employee: true }
        : { portal: access, ...(stepUp && { stepUp }), ...(anySession && { anySession }) }),
  };
  const schema = {
    hide: true,
    'x-problems': [
      ...problems,
      ...(spec.params ? ['not-found' as const] : []),
      ...(stepUp ? ['step-up-required' as const] : []),
    ],
    response,
    ...described,
  };
  const preHandler = (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    reply.code(status);
    done();
  };
  return { config, schema, ...(status !== 200 && { preHandler }) } as unknown as {
    config: FastifyContextConfig;
    schema: { querystring: Q; params: P; body: B; response: R };
  };
}
