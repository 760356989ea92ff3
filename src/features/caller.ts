import type { FastifyRequest } from 'fastify';
import type { Actor } from '../domain/actor.ts';
import type { Language, Permission, Role, SecondFactorKind, SessionMethod } from '../domain/enums.ts';
import { type Ability, isAble } from '../domain/roles.ts';
import type { CompanyId } from '../platform/db/company-scope.ts';
import type { Tx } from '../platform/db/database.ts';
import { writeCompany } from '../platform/db/write.ts';
import { ApiError } from '../platform/http/errors.ts';
import type { AppContext, CompanyContext } from './context.ts';

/** The caller: one key of one company. */
export interface Principal {
  companyId: CompanyId;
  keyId: string;
  keyName: string;
  permissions: ReadonlySet<Permission>;
  company: { name: string; locale: string; currency: string; timeZone: string };
}

/** A signed-in user of the portal. */
export interface PortalUser {
  id: string;
  name: string;
  email: string;
  roles: Role[];
  companyId: CompanyId;
  company: { id: CompanyId; name: string; locale: string; currency: string; timeZone: string };
  /** The rules of the company for the access of its users. */
  policy: { secondFactorRequired: boolean; sessionIdleMinutes: number };
  hasSecondFactor: boolean;
  /** The second factors of the account, also those that the user has added in other companies. */
  secondFactors: SecondFactorKind[];
}

export interface Session {
  id: string;
  companyId: CompanyId;
  userId: string;
  createdAt: Date;
  /** To the minute. */
  lastUsedAt: Date;
  steppedUpAt: Date | undefined;
  method: SessionMethod;
}

export interface Account {
  userId: string;
  companyId: CompanyId;
}

/** An employee who is signed in to their page. */
export interface Employee {
  companyId: CompanyId;
  employeeId: number;
  sessionId: string;
  language: Language;
}

declare module 'fastify' {
  /** What the guards have found out (keys/guard.ts, accounts/guard.ts, employee-access/guard.ts). */
  interface FastifyRequest {
    principal: Principal | undefined;
    user: PortalUser | undefined;
    portalSession: Session | undefined;
    /** Locks and returns the roles of the user. Undefined: they have been removed. */
    lockRoles: ((tx: Tx) => Promise<Role[] | undefined>) | undefined;
    employee: Employee | undefined;
    /** Throws if the session of the employee has ended. */
    assertEmployee: ((tx: Tx) => Promise<void>) | undefined;
  }
}

/** Returns the principal. For handlers of guarded routes, where the guard has already run. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === undefined) throw new Error('This route is public and has no principal.');
  return request.principal;
}

/** Returns the signed-in user. Only for handlers of portal routes, which run after the portal's guard. */
export function userOf(request: FastifyRequest): PortalUser {
  if (request.user === undefined) throw new Error('This route is public, so it has no user.');
  return request.user;
}

/** Returns the signed-in employee. Only for handlers of the employee's page, which run after its guard. */
export function employeeOf(request: FastifyRequest): Employee {
  if (request.employee === undefined) throw new Error('This route is public, so it has no employee.');
  return request.employee;
}

/** Returns the session of the signed-in user. */
export function sessionOf(request: FastifyRequest): Session {
  if (request.portalSession === undefined) throw new Error('This route is public, so it has no session.');
  return request.portalSession;
}

/** Returns the account of the signed-in user. */
export function accountOf(request: FastifyRequest): Account {
  const { id: userId, companyId } = userOf(request);
  return { userId, companyId };
}

/** Returns the actor that the audit log names for the changes of this request. */
const actorOf = (request: FastifyRequest): Actor => ({ type: 'user', name: userOf(request).id });

export const missingRole = (held: readonly Role[]) => {
  const names = held.join(', ');
  const subject = held.length === 1 ? `Your role, ${names}, does` : `Your roles, ${names}, do`;
  return new ApiError('missing-role', `${subject} not allow this.`);
};

export const notSignedIn = () =>
  new ApiError('not-signed-in', 'You are not signed in, or your session has ended. Sign in.');

/**
 * Throws unless the user may still do this, and locks their roles until the transaction ends. If they are removed or
 * demoted at the same moment, either that comes first and this throws, or it comes later and finds what was created
 * here. Returns their roles.
 */
export async function lockAbility(tx: Tx, request: FastifyRequest, ability: Ability): Promise<Role[]> {
  const held = await request.lockRoles?.(tx);
  if (held === undefined) throw notSignedIn();
  if (!isAble(held, ability)) throw missingRole(held);
  return held;
}

/**
 * Returns the context of use cases that this request calls. The user must have the ability when they change something.
 * Without one, the use case locks users itself: two admins who change each other would wait for each other.
 */
export function contextOf(
  request: FastifyRequest,
  { config, db, clock, encryption }: Pick<AppContext, 'config' | 'db' | 'clock' | 'encryption'>,
  ability?: Ability,
): CompanyContext {
  const { companyId, name, roles: held } = userOf(request);
  return {
    config,
    db,
    companyId,
    by: { actor: actorOf(request), name, at: clock.now() },
    write: (change) =>
      writeCompany(db, companyId, async (tx) =>
        change(tx, ability === undefined ? held : await lockAbility(tx, request, ability)),
      ),
    openEncryption: async () => encryption,
  };
}

/** Returns the context of use cases that this request of an employee calls. Nothing is written once the session has ended. */
export function contextOfEmployee(
  request: FastifyRequest,
  { config, db, clock, encryption }: Pick<AppContext, 'config' | 'db' | 'clock' | 'encryption'>,
): CompanyContext {
  const { companyId, employeeId } = employeeOf(request);
  return {
    config,
    db,
    companyId,
    by: { actor: { type: 'employee', name: String(employeeId) }, name: 'Employee', at: clock.now() },
    write: (change) =>
      writeCompany(db, companyId, async (tx) => {
        await request.assertEmployee?.(tx);
        return change(tx, []);
      }),
    openEncryption: async () => encryption,
  };
}
