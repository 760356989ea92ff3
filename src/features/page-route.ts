import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { NoContent, type PortalOperation, portalOperation } from '../platform/http/portal/operation.ts';
import { DataOf } from '../platform/http/schemas.ts';
import type { AppContext, Routes } from './context.ts';

/** What the handler of a public route receives. */
interface Call<Q extends TSchema, P extends TSchema, B extends TSchema> {
  request: FastifyRequest;
  reply: FastifyReply;
  query: Static<Q>;
  params: Static<P>;
  body: Static<B>;
}

interface PageRoute<
  Known,
  A extends PortalOperation<Q, P, B>['access'],
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
    call: Call<Q, P, B> & (A extends 'public' ? unknown : Known),
  ): unknown extends Static<D>
    ? Promise<NoInfer<Static<R>>> | NoInfer<Static<R>>
    : Promise<NoInfer<Static<D>>> | NoInfer<Static<D>>;
}

type Register<Access extends PortalOperation<TSchema, TSchema, TSchema>['access'], Known> = <
  A extends Access,
  D extends TSchema = TSchema,
  R extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  P extends TSchema = TSchema,
  B extends TSchema = TSchema,
>(
  name: `${'GET' | 'POST' | 'DELETE'} /${string}`,
  route: PageRoute<Known, A, D, R, Q, P, B>,
) => void;

interface RouteAccess<Access> {
  access: Exclude<Access, 'public'>;
  locksUsers: boolean;
}

/**
 * Returns how routes of the API of our own pages are defined. `findCaller` returns what handlers of routes that are not
 * public receive besides the request.
 */
export const createPageRoutes =
  <Access extends PortalOperation<TSchema, TSchema, TSchema>['access'], Known extends object>(
    findCaller: (request: FastifyRequest, context: AppContext, route: RouteAccess<Access>) => Known,
  ) =>
  <Extra = unknown>(define: (route: Register<Access, Known>, context: AppContext & Extra) => void): Routes<Extra> =>
  (app, context) =>
    define(
      (name, { data, returns, isConditional, status = 200, query, locksUsers = false, options, handle, ...spec }) => {
        const [method, url] = name.split(' ') as [string, string];
        const schema = data === undefined ? returns : DataOf(data);
        const access: Access = spec.access;
        app.route({
          ...{ method, url, ...options },
          ...portalOperation<Record<number, TSchema>>({
            ...spec,
            ...(query && { querystring: query as never }),
            ...(schema && { response: { [status]: schema, ...(isConditional && { 304: NoContent }) } }),
          } as never),
          async handler(request, reply) {
            const { query, params, body } = request;
            const route = { access, locksUsers } as RouteAccess<Access>;
            const result = await handle({
              ...{ request, reply, query, params, body },
              ...(access !== 'public' && findCaller(request, context, route)),
            } as never);
            if (schema === undefined) return undefined;
            return data === undefined ? result : { data: result };
          },
        });
      },
      context,
    );
