import type { FastifyContextConfig, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Environment, Permission } from '../../domain/enums.ts';
import type { Ability } from '../../domain/roles.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { networkOf, type RateLimiter } from '../../platform/http/rate-limit.ts';
import type { Authenticator, Principal } from './authenticate.ts';
import { explainRefusal, parseBasicHeader } from './credentials.ts';
import type { KeyedHash } from './keyed-hash.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permissions that a key needs for this route. An empty list: any valid key. */
    permissions?: readonly Permission[];
    /** A key needs at least one of these for this route. */
    anyPermission?: readonly Permission[];
    /**
     * Requires no credentials. A route declares this, `permissions` or `portal`. One that declares none of them stops
     * the start.
     */
    public?: true;
    /** Whether the user must have proven recently who they are. */
    stepUp?: boolean;
    anySession?: boolean;
    /** Which users may use this route of the portal: any signed-in user (`read`), or roles with this ability. */
    portal?: 'read' | Ability;
  }
  interface FastifyRequest {
    principal: Principal | undefined;
  }
}

export function assertRouteIsGuarded(route: Pick<RouteOptions, 'method' | 'url' | 'config'>): void {
  const { permissions, public: isPublic, portal } = route.config ?? {};
  if ([permissions, isPublic, portal].filter((access) => access !== undefined).length !== 1) {
    throw new Error(
      `Route ${route.method} ${route.url} must declare exactly one of \`permissions\`, \`portal\` and \`public\`.`,
    );
  }
}

/** Returns the principal. For handlers of guarded routes, where the guard has already run. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === undefined) throw new Error('This route is public and has no principal.');
  return request.principal;
}

const invalidCredentials = (detail: string) =>
  new ApiError('invalid-credentials', detail, {}, { 'www-authenticate': 'Basic realm="api", charset="UTF-8"' });

/** Returns the permissions that the key lacks for the route. Empty: it has what the route requires. */
function listMissing({ permissions: granted }: Principal, { permissions, anyPermission }: FastifyContextConfig) {
  const isMissing = (permission: Permission) => !granted.has(permission);
  if (anyPermission?.every(isMissing)) return [...anyPermission];
  return (permissions ?? []).filter(isMissing);
}

function missingPermission(missing: Permission[], isAnyEnough: boolean): ApiError {
  const [what, them] =
    missing.length === 1
      ? ['this permission', 'it']
      : isAnyEnough
        ? ['at least one of these permissions', 'one']
        : ['these permissions', 'them'];
  const detail = `This key lacks ${missing.join(', ')}. Use a key with ${what}, or have an admin add ${them} to this key in the developer portal.`;
  return new ApiError('missing-permission', detail, { missingPermissions: missing });
}

export interface GuardOptions {
  authenticate: Authenticator;
  environment: Environment;
  limiter: RateLimiter;
  keyedHash: KeyedHash;
}

/** Checks the credentials first, then the permissions of the route, then everything else. */
export function createGuard({ authenticate, environment, limiter, keyedHash }: GuardOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { public: isPublic, portal, limit, anyPermission } = request.routeOptions.config;
    if (limit !== undefined) limiter.countPublic(limit, request, reply);
    // The routes of the portal have their own guard (src/features/accounts/guard.ts).
    if (isPublic || portal !== undefined || request.is404) return;
    const principal = await authenticate(request.headers.authorization);
    if (principal === undefined) {
      const { username } = parseBasicHeader(request.headers.authorization) ?? { username: '' };
      const account = keyedHash(`key ${username}`);
      request.log.warn(
        { account, network: networkOf(request.ip), reason: 'invalid credentials' },
        'authentication failed',
      );
      limiter.countFailure(request, reply);
      throw invalidCredentials(explainRefusal(request.headers.authorization, environment));
    }
    request.principal = principal;
    limiter.countKey(principal, reply);
    const missing = listMissing(principal, request.routeOptions.config);
    if (missing.length > 0) throw missingPermission(missing, anyPermission !== undefined);
  };
}
