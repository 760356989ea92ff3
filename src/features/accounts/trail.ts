import type { FastifyRequest } from 'fastify';
import { writeCompany } from '../../platform/db/write.ts';
import { networkOf } from '../../platform/http/rate-limit.ts';
import { insertAudit } from '../activity/record.ts';
import type { AppContext } from '../context.ts';
import type { KeyedHash } from '../keys/keyed-hash.ts';
import type { Account } from './memberships.ts';

/** Records failed authentications. */
export interface SignInTrail {
  /** Returns what the audit log stores about the origin of a request. */
  originOf(request: FastifyRequest): { network: string };
  /** Writes the log line of a failed authentication. `email` is the address that was entered. */
  logFailure(request: FastifyRequest, email: string, reason: string): void;
  /** Adds a failed sign-in to the audit log of every company in which the address has an account. */
  recordFailure(request: FastifyRequest, email: string, accounts: readonly Account[]): void;
  /** Does what no response may wait for, because its time would reveal whether there is an account. */
  runLater(request: FastifyRequest, work: () => Promise<void>): void;
  /** Resolves when everything recorded so far is written. */
  flush(): Promise<void>;
}

export function createTrail({ db, clock }: Pick<AppContext, 'db' | 'clock'>, keyedHash: KeyedHash): SignInTrail {
  const pending = new Set<Promise<void>>();
  const accountOf = (email: string) => keyedHash(`account ${email}`);
  const originOf = ({ ip }: FastifyRequest) => ({ network: keyedHash(`network ${networkOf(ip)}`) });

  async function insertFailures(detail: Record<string, unknown>, accounts: readonly Account[]): Promise<void> {
    const entry = { action: 'session.sign-in-failed', actor: { type: 'service', name: null }, detail } as const;
    const at = clock.now();
    for (const { companyId, userId } of accounts) {
      await writeCompany(db, companyId, (tx) => insertAudit(tx, companyId, { ...entry, target: userId, at }));
    }
  }

  return {
    originOf,
    logFailure(request, email, reason) {
      request.log.warn({ account: accountOf(email), network: networkOf(request.ip), reason }, 'authentication failed');
    },
    /**
     * The request handler does not await this. The entry is written only where an account exists, and the response time
     * must not reveal that. Only a hash of the network is stored, because the attempt may have been meant for another
     * company.
     */
    recordFailure(request, email, accounts) {
      const detail = { account: accountOf(email), ...originOf(request) };
      const work = insertFailures(detail, accounts)
        .catch((error: unknown) => request.log.error({ err: error }, 'failed sign-in could not be recorded'))
        .finally(() => pending.delete(work));
      pending.add(work);
    },
    runLater(request, later) {
      const work = later()
        .catch((error: unknown) => request.log.error({ err: error }, 'password reset could not be mailed'))
        .finally(() => pending.delete(work));
      pending.add(work);
    },
    flush: async () => {
      await Promise.all(pending);
    },
  };
}
