import type { FastifyReply } from 'fastify';
import { createFairSlots, type FairSlots, type SlotCaller, type SlotLimits } from './fair-slots.ts';

/** What companies share in one process of the API. docs/limits.md lists all of it for users and operators. */
export const slotLimits = {
  /** Rosters being received, exports being sent. Clients may be slow, so each company has slots of its own. */
  transfers: { what: 'rosters and exports', total: Number.POSITIVE_INFINITY, perCompany: 8, waitMillis: 10_000 },
  /** Connections on which a statement may take minutes. */
  longRunning: { what: 'exports and previews', total: 4, perCompany: 2, waitMillis: 10_000 },
  /** Threads with up to 768 MB. */
  workbooks: { what: 'Excel files', total: 2, perCompany: 1, waitMillis: 30_000 },
  /** Requests to servers that companies choose, which may be slow. */
  connectionTests: { what: 'connection tests', total: 8, perCompany: 2, waitMillis: 10_000 },
  /** The time of the process: each call parses and validates its arguments. */
  assistants: { what: 'calls of assistants', total: 4, perCompany: 2, waitMillis: 10_000 },
} as const satisfies Record<string, Omit<SlotLimits, 'perCaller'>>;

/** What companies share in one worker. Nobody waits for an answer, so everything waits for its turn. */
export const deliveryLimits = {
  attempts: { what: 'deliveries', total: 512, perCompany: 256, waitMillis: Number.POSITIVE_INFINITY },
  failing: { what: 'deliveries', total: 128, perCompany: 64, waitMillis: Number.POSITIVE_INFINITY },
  /** Claims, results and fan-outs. More would only wait for a connection, and fail after five seconds. */
  database: { what: 'statements', total: 4, perCompany: 4, waitMillis: Number.POSITIVE_INFINITY },
} as const satisfies Record<string, Omit<SlotLimits, 'perCaller'>>;

export type DeliverySlots = Record<keyof typeof deliveryLimits, FairSlots>;

export const createDeliverySlots = (): DeliverySlots => ({
  attempts: createFairSlots({ ...deliveryLimits.attempts, perCaller: 0 }),
  failing: createFairSlots({ ...deliveryLimits.failing, perCaller: 0 }),
  database: createFairSlots({ ...deliveryLimits.database, perCaller: 0 }),
});

/** A pass takes about 40 ms to sign, in one thread. */
export const passLimits = { what: 'wallet passes', total: 10, perCompany: 5, waitMillis: 5_000 } as const;

/** How many calls of one key have a slot or wait for one. Assistants call several tools at once. */
export const callsPerKey = 10;

export type Slots = Record<keyof typeof slotLimits, FairSlots>;

/** Creates the slots of a process. `heavyPerKey` is how many heavy requests one key or user may have. 0: any number. */
export const createSlots = (heavyPerKey: number): Slots => ({
  transfers: createFairSlots({ ...slotLimits.transfers, perCaller: heavyPerKey }),
  longRunning: createFairSlots({ ...slotLimits.longRunning, perCaller: heavyPerKey }),
  workbooks: createFairSlots({ ...slotLimits.workbooks, perCaller: 0 }),
  connectionTests: createFairSlots({ ...slotLimits.connectionTests, perCaller: heavyPerKey }),
  assistants: createFairSlots({ ...slotLimits.assistants, perCaller: callsPerKey }),
});

/** Takes a slot until the response ends. Only for slots that no other company needs: the client decides when that is. */
export async function holdSlot(slots: FairSlots, caller: SlotCaller, reply: FastifyReply): Promise<void> {
  const release = await slots.take(caller);
  reply.raw.once('close', release);
  if (reply.raw.destroyed) release();
}
