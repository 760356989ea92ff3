import type { FastifyRequest } from 'fastify';
import { writeCompany } from '../../platform/db/write.ts';
import { networkOf } from '../../platform/http/rate-limit.ts';
import { insertAudit } from '../activity/record.ts';
import type { Account } from '../caller.ts';
import type { AppContext } from '../context.ts';
import type { KeyedHash } from '../keys/credentials.ts';

export type SignInTrail = ReturnType<typeof createTrail>;

/** Records failed authentications. */
export function createTrail({ db, clock }: Pick<AppContext, 'db' | 'clock'>, keyedHash: KeyedHash) {
  const pending = new Set<Promise<void>>();
  const accountOf = (email: string) => keyedHash(`account ${email}`);
  /** Returns what the audit log stores about the origin of a request. */
  const originOf = ({ ip }: FastifyRequest) => ({ network: keyedHash(`network ${networkOf(ip)}`) });

  /** Does what no response may wait for, because its time would reveal whether there is an account. */
  function runLater(later: () => Promise<void>, onError: (error: unknown) => void): void {
    const work = later()
      .catch(onError)
      .finally(() => pending.delete(work));
    pending.add(work);
  }

  return {
    originOf,
    runLater,
    /** Writes the log line of a failed authentication. `email` is the address that was entered. */
    logFailure(request: FastifyRequest, email: string, reason: string): void {
      request.log.warn({ account: accountOf(email), network: networkOf(request.ip), reason }, 'authentication failed');
    },
    /**
     * Adds a failed sign-in to the audit log of every company in which the address has an account. Only a hash of the
     * network is stored, because the attempt may have been meant for another company.
     */
    recordFailure(request: FastifyRequest, email: string, accounts: readonly Account[]): void {
      const detail = { account: accountOf(email), ...originOf(request) };
      const entry = { action: 'session.sign-in-failed', actor: { type: 'service', name: null }, detail } as const;
      const at = clock.now();
      const record = async () => {
        for (const { companyId, userId } of accounts) {
          await writeCompany(db, companyId, (tx) => insertAudit(tx, companyId, { ...entry, target: userId, at }));
        }
      };
      runLater(record, (error) => request.log.error({ err: error }, 'failed sign-in could not be recorded'));
    },
    /** Resolves when everything recorded so far is written. */
    flush: async () => void (await Promise.all(pending)),
  };
}
