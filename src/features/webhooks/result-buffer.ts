import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointDisabledReason } from '../../domain/enums.ts';
import type { Db } from '../../platform/db/database.ts';
import type { FairSlots } from '../../platform/http/fair-slots.ts';
import type { Notices } from '../notices/notices.ts';
import type { AttemptResult } from './attempt.ts';
import { recordResults } from './record.ts';
import type { EndpointKey } from './store.ts';

/** Results wait this long for others, and so many are written at once. */
const [waitMillis, batchSize] = [20, 200];
/** Results that cannot be written for this long are given up. The lease ends then, and the delivery is attempted again. */
const giveUpMillis = 50_000;

interface BufferOptions {
  db: Db;
  notices: Notices;
  key: EndpointKey;
  slots: FairSlots;
  onDisabled(reason: EndpointDisabledReason): void;
}

export function createResultBuffer({ db, notices, key, slots, onDisabled }: BufferOptions) {
  let waiting: AttemptResult[] = [];
  let writing: Promise<void> | undefined;

  async function write(results: AttemptResult[]): Promise<void> {
    const deadline = performance.now() + giveUpMillis;
    for (;;) {
      try {
        const reason = await slots.run(key, () => recordResults({ db, notices }, key, results));
        if (reason !== undefined) onDisabled(reason);
        return;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await sleep(500);
      }
    }
  }

  async function drain(): Promise<void> {
    if (waiting.length < batchSize) await sleep(waitMillis);
    while (waiting.length > 0) {
      const results = waiting.splice(0, batchSize);
      await write(results);
    }
  }

  /** Under load, this goes on for hours, so that nothing may be attached to it for each result. */
  function startWriting(): Promise<void> {
    const written = drain().finally(() => {
      writing = undefined;
    });
    written.catch(() => {});
    return written;
  }

  return {
    /** Adds a result. Waits if too many are unwritten, so that they cannot pile up while the database is slow. */
    async add(result: AttemptResult): Promise<void> {
      waiting.push(result);
      writing ??= startWriting();
      if (waiting.length > 2 * batchSize) await writing;
    },
    async flush(): Promise<void> {
      while (writing !== undefined) await writing;
      const rest = waiting;
      waiting = [];
      if (rest.length > 0) await write(rest);
    },
  };
}
