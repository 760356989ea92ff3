import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runsOf } from '../../../../test/support/domain/runs.ts';
import { feeOn } from './charges.ts';
import { resolveFees } from './price-lists.ts';

const chargeTypes = ['service-charge', 'hr-integration-charge'] as const;
const month = (offset: number) => Temporal.PlainDate.from('2026-01-01').add({ months: offset });

/** A table of every month and what applies in it, written month by month. */
const tableOf = <T>(changes: readonly { at: number; value: T }[]) =>
  Array.from({ length: 12 }, (_, at) =>
    changes.filter((change) => change.at <= at).reduce<T | undefined>((_before, { value }) => value, undefined),
  );

test('the fee of each month is the one of the list of the month, else the standard one', () => {
  const at = fc.integer({ min: 0, max: 11 });
  const byMonth = <T>(value: fc.Arbitrary<T>) =>
    fc
      .uniqueArray(fc.record({ at, value }), { selector: (change) => change.at, maxLength: 4 })
      .map((changes) => changes.toSorted((a, b) => a.at - b.at));
  const cents = fc.integer({ min: 0, max: 300 });
  const perType = <T>(value: fc.Arbitrary<T>) => fc.tuple(value, value);
  let own = 0;
  fc.assert(
    fc.property(
      perType(byMonth(cents)),
      fc.record({ Partner: perType(byMonth(cents)), Test: perType(byMonth(cents)) }),
      byMonth(fc.constantFrom('Partner', 'Test', null)),
      (standard, lists, assigned) => {
        const toFees = (changes: (typeof standard)[number], index: number) =>
          changes.map(({ at: from, value }) => ({
            ...{ chargeType: chargeTypes[index] ?? ('api-charge' as const), validFrom: month(from), netCents: value },
          }));
        const fees = resolveFees(
          standard.flatMap(toFees).map((fee) => ({ ...fee, taxPercent: 19 })),
          Object.entries(lists).flatMap(([priceList, changes]) =>
            changes.flatMap(toFees).map((fee) => ({ ...fee, priceList })),
          ),
          assigned.map(({ at: from, value }) => ({ validFrom: month(from), priceList: value })),
        );
        const listOf = tableOf(assigned);
        for (const [index, chargeType] of chargeTypes.entries()) {
          const usual = tableOf(standard[index] ?? []);
          for (let on = 0; on < 12; on++) {
            const list = listOf[on];
            const listed = list ? tableOf(lists[list][index] ?? [])[on] : undefined;
            const expected = usual[on] === undefined ? undefined : (listed ?? usual[on]);
            // The last day of the month too: the day before a boundary.
            const last = month(on + 1).subtract({ days: 1 });
            assert.equal(feeOn(fees, chargeType, month(on))?.netCents, expected);
            assert.equal(feeOn(fees, chargeType, last)?.netCents, expected);
            if (listed !== undefined && expected === listed) own++;
          }
        }
      },
    ),
    { numRuns: runsOf(1000) },
  );
  assert.ok(own > runsOf(1000), 'many are of a list');
});
