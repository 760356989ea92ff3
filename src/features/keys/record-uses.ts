import type { Db } from '../../platform/db/database.ts';
import type { KeyName } from './credentials.ts';
import { markKeyUsed } from './keys.ts';

/**
 * Records when keys were used, one key after the other. If hundreds of keys are used at the same moment, this takes one
 * connection. With one each, requests would have to wait for a connection or be refused.
 */
export function createUseRecorder(db: Db, onError: (error: unknown) => void) {
  const waiting = new Map<string, { name: KeyName; at: Temporal.Instant }>();
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    for (const [id, { name, at }] of waiting) {
      waiting.delete(id);
      await markKeyUsed(db, name, at).catch(onError);
    }
  }

  return {
    add(name: KeyName, at: Temporal.Instant): void {
      waiting.set(`${name.companyId} ${name.keyId}`, { name, at });
      writing ??= writeAll().finally(() => {
        writing = undefined;
      });
    },
    /** Drops what waits: it is only the time of a last use, and the process ends. */
    async stop(): Promise<void> {
      waiting.clear();
      await writing;
    },
  };
}
