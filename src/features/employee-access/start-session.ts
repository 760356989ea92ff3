import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessMethod } from '../../domain/enums.ts';
import { createSecret, hashSecret } from '../../platform/crypto/company-token.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { describeDevice } from '../accounts/rules/device.ts';
import type { SignInTrail } from '../accounts/trail.ts';
import { insertAudit } from '../activity/record.ts';
import type { AppContext } from '../context.ts';
import { type AccessCookies, maxEmployments } from './cookies.ts';
import { deleteSessions, findSession, insertSession, lockEmployee } from './store.ts';
import type { SessionUses } from './uses.ts';

/** What only the routes have with which employees get in. */
export interface Access {
  cookies: AccessCookies;
  trail: SignInTrail;
  uses: SessionUses;
  /** Counts an attempt of a client at a letter. Returns how to withdraw it. */
  countClient: (address: string) => () => void;
}

export type AccessContext = Pick<AppContext, 'db' | 'clock'> & Access;

interface Proof {
  /** The company whose link, letter or identity provider it is. */
  companyId: CompanyId;
  method: AccessMethod;
  /** The identity provider, if it is its response. */
  issuer?: string;
  /**
   * Uses up what proves who the employee is, and returns them, locked. Undefined: it proves nothing. `emailKey`: an address
   * that is proven as well.
   */
  prove(tx: Tx): Promise<{ employeeId: number; emailKey?: string } | undefined>;
  /** Returns the other companies that may have an employee with the proven address. */
  listOthers(emailKey: string): Promise<readonly CompanyId[]>;
}

/** Ends the session that the browser had. Only the one who proved who they are uses it from now on. */
async function endEarlier({ db, clock, cookies }: AccessContext, request: FastifyRequest): Promise<void> {
  const token = cookies.read(request);
  if (token === undefined) return;
  for (const companyId of token.companyIds) await endSession(db, companyId, { secret: token.secret, at: clock.now() });
}

/** Ends the session of a token in one company, and records that. Does nothing if there is none. */
export async function endSession(
  db: Db,
  companyId: CompanyId,
  { secret, at }: { secret: string; at: Temporal.Instant },
): Promise<void> {
  const known = await findSession(db, companyId, hashSecret(secret));
  if (known === undefined) return;
  await writeCompany(db, companyId, async (tx) => {
    if ((await deleteSessions(tx, companyId, [known.employeeId], known.id)) === 0) return;
    const actor = { type: 'employee', name: String(known.employeeId) } as const;
    await insertAudit(tx, companyId, { action: 'employee.sign-out', target: actor.name, actor, at });
  });
}

/**
 * Signs the browser in to the employment that `prove` returns, and to those at other companies with the same address if
 * that is proven. Returns false if nothing was proven.
 */
export async function startSession(
  context: AccessContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { companyId, method, issuer, prove, listOthers }: Proof,
): Promise<boolean> {
  const { db, clock, cookies, trail } = context;
  const [id, secret] = [randomUUID(), createSecret()];
  const session = {
    ...{ id, tokenHash: hashSecret(secret), method, device: describeDevice(request.headers['user-agent']) },
    connectionCompanyId: issuer === undefined ? null : companyId,
    connectionIssuer: issuer ?? null,
  };
  const record = async (tx: Tx, company: CompanyId, employeeId: number) => {
    await insertSession(tx, company, { ...session, employeeId });
    const actor = { type: 'employee', name: String(employeeId) } as const;
    const detail = { method, ...trail.originOf(request) };
    await insertAudit(tx, company, { action: 'employee.sign-in', target: actor.name, actor, at: clock.now(), detail });
  };
  const proven = await writeCompany(db, companyId, async (tx) => {
    const found = await prove(tx);
    if (found !== undefined) await record(tx, companyId, found.employeeId);
    return found;
  });
  if (proven === undefined) return false;
  const companyIds = [companyId];
  const { emailKey } = proven;
  // One transaction per company: on a Citus cluster they are on different machines.
  for (const other of emailKey === undefined ? [] : await listOthers(emailKey)) {
    if (other === companyId || companyIds.length >= maxEmployments) continue;
    const isKnown = await writeCompany(db, other, async (tx) => {
      const employee = emailKey === undefined ? undefined : await lockEmployee(tx, other, { emailKey });
      if (employee !== undefined) await record(tx, other, employee.id);
      return employee !== undefined;
    });
    if (isKnown) companyIds.push(other);
  }
  await endEarlier(context, request);
  cookies.set(reply, { companyIds, secret });
  return true;
}
