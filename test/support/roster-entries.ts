import assert from 'node:assert/strict';
import { readEntries } from '../../src/features/roster/roster-parts.ts';
import type { RosterEntry } from '../../src/features/roster/rules/entry.ts';
import { ApiError } from '../../src/platform/http/errors.ts';

export const today = Temporal.PlainDate.from('2026-11-15');
/** The limits of a roster that the service has by default. */
export const limits = { maxBytes: 2 ** 27, maxEntries: 250_000, today };

export const entry = (number: number) => ({
  hrId: `HR-${number}`,
  firstName: ['Anna', 'Jörg', 'Zoë'][number % 3] ?? '',
  lastName: `Müller ${number}`,
  email: `employee.${number}@example.com`,
  profileImage: number % 2 === 0 ? null : `https://images.example.com/employees/${number}.jpg`,
  dateOfBirth: '1990-12-10',
  startDate: `20${10 + (number % 15)}-02-28`,
  terminationDate: null,
  autoSyncEmployee: number % 2 === 0,
  absences: number % 10 === 0 ? [{ startDate: '2026-03-01', endDate: null, approved: true }] : [],
});

/** Returns `count` entries, from number `from` on. */
export const entries = (count: number, from = 0) => Array.from({ length: count }, (_, index) => entry(from + index));

export async function* inChunks(bytes: Uint8Array, chunkBytes = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** Returns the entries that were stored. */
export async function readBack(parts: Buffer[]): Promise<RosterEntry[]> {
  const all: RosterEntry[] = [];
  for await (const batch of readEntries(parts)) all.push(...batch);
  return all;
}

/** Returns the error with which a roster is refused. */
export async function refusalOf(reading: Promise<unknown>): Promise<ApiError> {
  const error = await reading.then(
    () => assert.fail('accepted'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiError, String(error));
  return error;
}

/** Returns the problems of an invalid roster as `pointer: code`. */
export function problemsIn({ code, message, extra }: ApiError): string[] {
  assert.equal(code, 'invalid-roster', message);
  assert.equal(extra.errorCount, extra.errors?.length);
  return (extra.errors ?? []).map((error) => `${'pointer' in error ? error.pointer : ''}: ${error.code}`);
}
