import type pg from 'pg';
import type { Tracing } from '../telemetry/tracing/tracing.ts';
import type { LookUp } from './prepared-look-ups.ts';
import type { Result } from './prepared-query.ts';
import type { PreparingClient } from './preparing-client.ts';

/**
 * Marks statements that find a few rows by their keys. Those that wait at the same time are sent together: for such a
 * statement, sending it and receiving its rows takes longer than executing it.
 */
export const lookUpMarker = '/* look-up */';

/** While the server executes some batches, the statements for the next one collect. */
const maxBatches = 6;
/** A statement waits for all others of its batch, at a tenth of a millisecond each. */
const maxBatchSize = 8;

interface LookUps {
  /** Executes the statement together with others. */
  execute(text: string, values: unknown[]): Promise<Result>;
  /** Returns how many statements wait for a connection. */
  waiting(): number;
}

export interface LookUpSource {
  /** Returns undefined if statements have to be sent one by one. */
  find(): LookUps | undefined;
  /** Returns how many statements wait for a connection. */
  waiting(): number;
}

export const noLookUps: LookUpSource = { find: () => undefined, waiting: () => 0 };

/** Returns whether the server has the Citus extension. */
async function hasCitus(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query(`select to_regclass('pg_catalog.pg_dist_partition') is not null as found`);
    return rows[0].found;
  } finally {
    client.release();
  }
}

/**
 * Returns the look-ups of a database once it is known that they may be sent together. On Citus the companies are on
 * different nodes, and one may be down. The statements of a trace that is kept are sent one by one: each has a span.
 */
export function openLookUps(pool: pg.Pool, tracing?: Tracing): LookUpSource {
  let lookUps: LookUps | undefined;
  let isChecked = false;

  function check(): void {
    isChecked = true;
    hasCitus(pool).then(
      (isFound) => {
        if (!isFound) lookUps = createLookUps(pool);
      },
      () => {
        isChecked = false;
      },
    );
  }

  return {
    find: () => {
      if (!isChecked) check();
      return tracing?.isRecording() ? undefined : lookUps;
    },
    waiting: () => lookUps?.waiting() ?? 0,
  };
}

/** Executes look-ups in batches. The statements of a batch are independent, and each sees what was committed before it. */
function createLookUps(pool: pg.Pool): LookUps {
  const queue: LookUp[] = [];
  let batches = 0;
  let isScheduled = false;

  async function executeAlone(text: string, values: unknown[]): Promise<Result> {
    const client = await pool.connect();
    try {
      return await client.query(text, values);
    } finally {
      client.release();
    }
  }

  async function executeBatch(lookUps: LookUp[]): Promise<void> {
    let client: (pg.PoolClient & PreparingClient) | undefined;
    try {
      client = (await pool.connect()) as pg.PoolClient & PreparingClient;
    } catch (error) {
      for (const { reject } of lookUps) reject(error as Error);
      return;
    }
    const failure = await client.lookUp(lookUps);
    client.release(failure);
    if (failure === undefined) return;
    for (const { text, values, resolve, reject, isOver } of lookUps) {
      if (isOver) continue;
      // One statement that fails ends its batch. On connections of their own, the others succeed.
      if ('severity' in failure) executeAlone(text, values).then(resolve, reject);
      else reject(failure);
    }
  }

  function sendWaiting(): void {
    while (batches < maxBatches && queue.length > 0) {
      batches += 1;
      executeBatch(queue.splice(0, maxBatchSize)).finally(() => {
        batches -= 1;
        sendWaiting();
      });
    }
  }

  return {
    execute: (text, values) =>
      new Promise((resolve, reject) => {
        queue.push({ text, values, resolve, reject, isOver: false });
        if (isScheduled) return;
        isScheduled = true;
        // Statements of the same turn of the event loop share a batch.
        setImmediate(() => {
          isScheduled = false;
          sendWaiting();
        });
      }),
    waiting: () => queue.length,
  };
}
