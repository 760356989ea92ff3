import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Ability } from '../domain/roles.ts';
import { NoContent, type PortalOperation, portalOperation } from '../platform/http/portal/operation.ts';
import { DataOf } from '../platform/http/schemas.ts';
import type { Account, PortalUser, Session } from './caller.ts';
import { accountOf, contextOf, sessionOf, userOf } from './caller.ts';
import type { AppContext, CompanyContext, Routes } from './context.ts';

type Access = 'public' | 'read' | Ability;

/** What the handler of a public route receives. */
interface Call<Q extends TSchema, P extends TSchema, B extends TSchema> {
  request: FastifyRequest;
  reply: FastifyReply;
  query: Static<Q>;
  params: Static<P>;
  body: Static<B>;
}

/** What every other handler receives as well. It is the context of the use cases that the handler calls. */
export interface UserCall extends CompanyContext {
  user: PortalUser;
  session: Session;
  account: Account;
}

interface PortalRoute<
  A extends Access,
  D extends TSchema,
  R extends TSchema,
  Q extends TSchema,
  P extends TSchema,
  B extends TSchema,
> extends Omit<PortalOperation<Q, P, B>, 'response' | 'querystring' | 'access'> {
  access: A;
  query?: Q;
  /** What `handle` returns, sent as `{ data }`. Without it and `returns`, the response has no body. */
  data?: D;
  /** What `handle` returns, sent as it is. */
  returns?: R;
  /** Whether the response may be 304. */
  isConditional?: boolean;
  /** Default: 200, or 204 without a body. */
  status?: number;
  /**
   * The use case locks users itself, so `write` does not lock the ability of the user: two admins who change each other
   * would wait for each other.
   */
  locksUsers?: boolean;
  /** Without `exposeHeadRoute` where a HEAD request would read everything and discard it. */
  options?: Pick<RouteShorthandOptions, 'bodyLimit' | 'exposeHeadRoute'>;
  handle(
    call: Call<Q, P, B> & (A extends 'public' ? unknown : UserCall),
  ): unknown extends Static<D>
    ? Promise<NoInfer<Static<R>>> | NoInfer<Static<R>>
    : Promise<NoInfer<Static<D>>> | NoInfer<Static<D>>;
}

type Register = <
  A extends Access,
  D extends TSchema = TSchema,
  R extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  P extends TSchema = TSchema,
  B extends TSchema = TSchema,
>(
  name: `${'GET' | 'POST' | 'DELETE'} /${string}`,
  route: PortalRoute<A, D, R, Q, P, B>,
) => void;

/**
 * Defines routes of the portal's own API. The user must still have the ability that `access` names when `write` begins,
 * and keeps it until the transaction ends.
 */
export const portalRoutes =
  <Extra = unknown>(define: (route: Register, context: AppContext & Extra) => void): Routes<Extra> =>
  (app, context) =>
    define(
      (name, { data, returns, isConditional, status = 200, query, locksUsers = false, options, handle, ...spec }) => {
        const [method, url] = name.split(' ') as [string, string];
        const schema = data === undefined ? returns : DataOf(data);
        const access: Access = spec.access;
        const ability = access === 'public' || access === 'read' || locksUsers ? undefined : access;
        app.route({
          ...{ method, url, ...options },
          ...portalOperation<Record<number, TSchema>>({
            ...spec,
            ...(query && { querystring: query as never }),
            ...(schema && { response: { [status]: schema, ...(isConditional && { 304: NoContent }) } }),
          } as never),
          async handler(request, reply) {
            const { query, params, body } = request;
            const result = await handle({
              ...{ request, reply, query, params, body },
              ...(access !== 'public' && {
                ...{ user: userOf(request), session: sessionOf(request), account: accountOf(request) },
                ...contextOf(request, context, ability),
              }),
            } as never);
            if (schema === undefined) return undefined;
            return data === undefined ? result : { data: result };
          },
        });
      },
      context,
    );
