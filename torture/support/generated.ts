import { createRandom, type Random } from '../../src/demo/random.ts';
import type { Operation } from '../../test/support/openapi.ts';
import type { WireRequest } from './wire.ts';

/** The required response: one of these statuses, any refusal of a mistake (4xx), or anything but a failure (5xx). */
export type Wanted = readonly number[] | 'refused' | 'answered';

/** A generated request and its required response. */
export interface Generated extends WireRequest {
  /** A description for the reader of the report. */
  name: string;
  /** The one deliberate mistake. Undefined if the request is valid. */
  slip: string | undefined;
  wanted: Wanted;
  /**
   * The operation whose documentation the response must match. Undefined if it belongs to no operation of the OpenAPI
   * document.
   */
  operation: Pick<Operation, 'method' | 'path'> | undefined;
}

export type Generator = (random: Random, number: number) => Generated;

export const isWanted = (status: number, wanted: Wanted): boolean => {
  if (wanted === 'answered') return status < 500;
  if (wanted === 'refused') return status >= 400 && status < 500;
  return wanted.includes(status);
};

/**
 * A request depends only on the seed and its own number, so that one can be generated again without those before it.
 */
export const randomOf = (seed: number, number: number): Random => createRandom(Math.imul(seed, 1_000_003) + number);
