import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { markSessionsUsed } from './store.ts';

/** How precisely it is known when a session was used last. */
const usedEveryMillis = 60_000;
/** How long the uses of several employees are collected. */
const collectMillis = 1_000;

interface UsesOptions {
  db: Db;
  onError: (error: unknown) => void;
}

export type SessionUses = ReturnType<typeof createSessionUses>;

/**
 * Notes which sessions are used, by one statement a second for all of a company: on the first of a month everybody opens the
 * page, and a transaction for each would take longer than what they ask for.
 */
export function createSessionUses({ db, onError }: UsesOptions) {
  let collected = new Map<CompanyId, Set<string>>();
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    const uses = collected;
    collected = new Map();
    for (const [companyId, ids] of uses) await markSessionsUsed(db, companyId, [...ids]).catch(onError);
  }

  /** Resolves when everything noted so far is written. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  }

  return {
    note(companyId: CompanyId, { id, lastUsedAt }: { id: string; lastUsedAt: string }): void {
      if (Date.now() - Date.parse(lastUsedAt) < usedEveryMillis) return;
      collected.set(companyId, (collected.get(companyId) ?? new Set()).add(id));
      timer ??= setTimeout(flush, collectMillis);
    },
    flush,
  };
}
