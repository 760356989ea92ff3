import type { FastifyContextConfig, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Environment, Permission } from '../../domain/enums.ts';
import type { Ability } from '../../domain/roles.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { networkOf, type RateLimiter } from '../../platform/http/rate-limit.ts';
import type { Principal } from '../caller.ts';
import type { Authenticator } from './authenticate.ts';
import { explainRefusal, type KeyedHash, parseBasicHeader } from './credentials.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permissions that a key needs for this route. An empty list: any valid key. */
    permissions?: readonly Permission[];
    /** A key needs at least one of these for this route. */
    anyPermission?: readonly Permission[];
    /**
     * Requires no credentials. A route declares this, `permissions`, `portal`, `employee` or `scim`. One that declares none of
     * them stops the start.
     */
    public?: true;
    /** Whether the user must have proven recently who they are. */
    stepUp?: boolean;
    anySession?: boolean;
    /** Which users may use this route of the portal: any signed-in user (`read`), or roles with this ability. */
    portal?: 'read' | Ability;
    /** Every signed-in employee may use this route of their page. */
    employee?: true;
    /** Identity providers with the token of an integration may use this route (features/scim). */
    scim?: true;
  }
}

export function assertRouteIsGuarded(route: Pick<RouteOptions, 'method' | 'url' | 'config'>): void {
  const { permissions, public: isPublic, portal, employee, scim } = route.config ?? {};
  if ([permissions, isPublic, portal, employee, scim].filter((access) => access !== undefined).length !== 1) {
    throw new Error(
      `Route ${route.method} ${route.url} must declare exactly one of \`permissions\`, \`portal\`, \`employee\`, \`scim\` and \`public\`.`,
    );
  }
}

const invalidCredentials = (detail: string) =>
  new ApiError('invalid-credentials', detail, {}, { 'www-authenticate': 'Basic realm="api", charset="UTF-8"' });

/** Returns the permissions that the key lacks for the route. Empty: it has what the route requires. */
function listMissing({ permissions: granted }: Principal, { permissions = [], anyPermission }: FastifyContextConfig) {
  const isMissing = (permission: Permission) => !granted.has(permission);
  return anyPermission?.every(isMissing) ? [...anyPermission] : permissions.filter(isMissing);
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

export interface GuardOptions extends Pick<Authenticator, 'findTrusted' | 'authenticate'> {
  environment: Environment;
  limiter: RateLimiter;
  keyedHash: KeyedHash;
}

/**
 * Returns a hook that checks the credentials, counts the request against the limit of its key, and checks the
 * permissions of the route. Waits for nothing if the key is trusted.
 */
export function createGuard({ findTrusted, authenticate, environment, limiter, keyedHash }: GuardOptions) {
  function admit(request: FastifyRequest, reply: FastifyReply, principal: Principal): void {
    request.principal = principal;
    limiter.countKey(principal, reply);
    const { config } = request.routeOptions;
    const missing = listMissing(principal, config);
    if (missing.length > 0) throw missingPermission(missing, config.anyPermission !== undefined);
  }

  function refuse(request: FastifyRequest, reply: FastifyReply): never {
    const { authorization } = request.headers;
    const account = keyedHash(`key ${parseBasicHeader(authorization)?.username ?? ''}`);
    request.log.warn(
      { account, network: networkOf(request.ip), reason: 'invalid credentials' },
      'authentication failed',
    );
    limiter.countFailure(request, reply);
    throw invalidCredentials(explainRefusal(authorization, environment));
  }

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    const { public: isPublic, portal, employee, scim, limit } = request.routeOptions.config;
    if (limit !== undefined) limiter.countPublic(limit, request, reply);
    // The portal, the employee's page and SCIM have their own guards (accounts, employee-access, scim).
    if (isPublic || portal !== undefined || employee || scim || request.is404) return done();
    const { authorization } = request.headers;
    const trusted = findTrusted(authorization);
    if (trusted !== undefined) {
      admit(request, reply, trusted);
      return done();
    }
    authenticate(authorization)
      .then((principal) => (principal === undefined ? refuse(request, reply) : admit(request, reply, principal)))
      .then(() => done(), done);
  };
}
