import { createRandom, type Random } from '../../src/demo/random.ts';
import type { Operation } from '../../test/support/openapi.ts';
import type { WireRequest } from './wire.ts';

/** What a request must be answered with: one of these statuses; any refusal of a mistake (4xx); anything but a failure. */
export type Wanted = readonly number[] | 'refused' | 'answered';

/** A request made by lot, and how it must be answered. */
export interface Generated extends WireRequest {
  /** What it is about, for whoever reads the report. */
  name: string;
  /** The one deliberate mistake in it; undefined: it is valid. */
  slip: string | undefined;
  wanted: Wanted;
  /** By whose description the answer is judged; undefined: it belongs to no operation of the OpenAPI document. */
  operation: Pick<Operation, 'method' | 'path'> | undefined;
}

export type Generator = (random: Random, number: number) => Generated;

export const isWanted = (status: number, wanted: Wanted): boolean => {
  if (wanted === 'answered') return status < 500;
  if (wanted === 'refused') return status >= 400 && status < 500;
  return wanted.includes(status);
};

/** A request depends on the seed and its own number alone, so that one can be made again without those before it. */
export const randomOf = (seed: number, number: number): Random => createRandom(Math.imul(seed, 1_000_003) + number);
