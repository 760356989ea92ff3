import assert from 'node:assert/strict';
import { test } from 'node:test';
import { absence, day } from '../../../../test/support/domain/scenario.ts';
import { formatMessage } from '../../../domain/messages/message.ts';
import { findLateCharges } from './late-charges.ts';

const items = ['2026-08-01', '2026-09-01', '2026-10-01', '2026-11-01'].map((period, index) => ({
  id: 11 + index,
  period,
  grossCents: 5985,
}));
const find = (terminationDate: string | null, ...absences: string[]) =>
  findLateCharges(
    { terminationDate: terminationDate === null ? null : day(terminationDate), absences: absences.map(absence) },
    items,
    (cents) => `${cents / 100} €`,
  ).map(({ cause, rule, message }) => `${cause} ${rule} ${formatMessage(message)}`);

const correction = (list: string) => `Proposed correction: reverse the charges ${list}, unless the tickets were used.`;

test('charges after the end of employment are late, from the month after the last day on', () => {
  assert.deepEqual(find(null), []);
  assert.deepEqual(find('2026-11-01'), []);
  assert.deepEqual(find('2026-09-30'), [
    `termination late-termination Employment ended on 30 September 2026, known too late for 10/2026, 11/2026: tickets cost 119.7 €. ${correction('13, 14')}`,
  ]);
});

test('charges of months that approved absences cover completely are late', () => {
  assert.deepEqual(find(null, '2026-09-02/2026-09-30', '2026-10-01/2026-10-31?'), []);
  assert.deepEqual(find(null, '2026-09-01/2026-09-30', '2026-11-01/'), [
    `absence late-absence Absent for all of 09/2026, 11/2026, known too late: tickets cost 119.7 €. ${correction('12, 14')}`,
  ]);
});

test('a month has one cause', () => {
  assert.deepEqual(
    find('2026-10-31', '2026-10-01/2026-11-30').map((text) => text.split(' ')[0]),
    ['termination', 'absence'],
  );
});
