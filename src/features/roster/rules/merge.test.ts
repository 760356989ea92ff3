import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeAbsences, type EmployeeState, emptyEmployee, type HandField } from '../../../domain/employee.ts';
import type { RosterEntry } from './entry.ts';
import { mergeEntry } from './merge.ts';

const day = (text: string) => Temporal.PlainDate.from(text);
const plan = { planType: 'fully-subsidized-plan', contributionCents: null } as const;

interface Stored {
  personnelNumber?: string;
  terminationDate?: string;
  absences?: [from: string, until: string | null, byHand?: true][];
  setByHand?: HandField[];
  isRemoved?: boolean;
  offboarded?: boolean;
}

function stored({ personnelNumber, terminationDate, absences = [], setByHand = [], ...state }: Stored): EmployeeState {
  const { isRemoved = false, offboarded = false } = state;
  const empty = emptyEmployee(plan);
  return {
    ...empty,
    profile: { ...empty.profile, personnelNumber: personnelNumber ?? null },
    facts: {
      ...empty.facts,
      offboarded,
      terminationDate: terminationDate === undefined ? null : day(terminationDate),
      absences: absences.map(([from, until, byHand]) => ({
        startDate: day(from),
        endDate: until === null ? null : day(until),
        approved: true,
        ...(byHand ? { byHand } : {}),
      })),
    },
    setByHand,
    isRemoved,
  };
}

const eva = { hrId: 'E1', firstName: 'Eva', lastName: 'Neu', email: 'eva@example.com' };
const byHand: Stored = { terminationDate: '2026-12-15', setByHand: ['terminationDate'] };
const absence = (startDate: string, endDate: string | null, approved = true) => ({ startDate, endDate, approved });

describe('what survives a roster', () => {
  const cases: [name: string, known: Stored, roster: Partial<RosterEntry>, value: string | null, setByHand: boolean][] =
    [
      ['by roster, omitted: stays', { terminationDate: '2026-12-31' }, {}, '2026-12-31', false],
      ['by roster, null: is cleared', { terminationDate: '2026-12-31' }, { terminationDate: null }, null, false],
      ['by hand, omitted: stays', byHand, {}, '2026-12-15', true],
      ['by hand, null: stays', byHand, { terminationDate: null }, '2026-12-15', true],
      ['by hand, a value: belongs to the roster', byHand, { terminationDate: '2026-12-31' }, '2026-12-31', false],
      [
        'by hand, the same value: belongs to the roster',
        byHand,
        { terminationDate: '2026-12-15' },
        '2026-12-15',
        false,
      ],
      ['by hand, hired again later: is over', byHand, { startDate: '2027-03-01' }, null, false],
      [
        'by hand, employed since before: stays',
        byHand,
        { startDate: '2020-03-01', terminationDate: null },
        '2026-12-15',
        true,
      ],
      ['by hand, back after the removal: is over', { ...byHand, isRemoved: true }, {}, null, false],
      ['by hand, back while leaving: is over', { ...byHand, offboarded: true }, { terminationDate: null }, null, false],
      [
        'by roster, back and omitted: stays',
        { terminationDate: '2026-12-31', isRemoved: true },
        {},
        '2026-12-31',
        false,
      ],
    ];
  for (const [name, known, roster, value, setByHand] of cases) {
    it(`last day ${name}`, () => {
      const merged = mergeEntry(stored(known), { ...eva, ...roster });
      assert.equal(merged.facts.terminationDate?.toString() ?? null, value);
      assert.deepEqual(merged.setByHand, setByHand ? ['terminationDate'] : []);
    });
  }

  it('knows a personnel number that was entered, also when the employee comes back', () => {
    const known = stored({ personnelNumber: '4711', setByHand: ['personnelNumber'], isRemoved: true });
    const kept = mergeEntry(known, { ...eva, personnelNumber: null });
    assert.deepEqual([kept.profile.personnelNumber, kept.setByHand], ['4711', ['personnelNumber']]);
    const given = mergeEntry(known, { ...eva, personnelNumber: '12' });
    assert.deepEqual([given.profile.personnelNumber, given.setByHand], ['12', []]);
  });

  it('has no mark without a value, as an earlier release leaves behind', () => {
    assert.deepEqual(mergeEntry(stored({ setByHand: ['terminationDate'] }), eva).setByHand, []);
  });

  const absences: [string, Stored, Partial<RosterEntry>, string[]][] = [
    ['omitted: all stay', { absences: [['2026-12-01', '2027-02-28', true]] }, {}, ['2026-12-01 by hand']],
    [
      'none in the roster: those by hand stay',
      {
        absences: [
          ['2026-12-01', '2027-02-28', true],
          ['2026-05-01', null],
        ],
      },
      { absences: [] },
      ['2026-12-01 by hand'],
    ],
    [
      'an approved one on the same days: replaces it',
      { absences: [['2026-12-01', '2027-02-28', true]] },
      {
        absences: [absence('2027-02-28', null)],
      },
      ['2027-02-28'],
    ],
    [
      'one that is not approved: both',
      { absences: [['2026-12-01', null, true]] },
      {
        absences: [absence('2027-02-01', '2027-02-28', false)],
      },
      ['2026-12-01 by hand', '2027-02-01'],
    ],
    [
      'on other days: both',
      { absences: [['2026-12-01', '2026-12-31', true]] },
      {
        absences: [absence('2027-01-01', '2027-01-31')],
      },
      ['2026-12-01 by hand', '2027-01-01'],
    ],
    [
      'back after the removal: those by hand are over',
      { absences: [['2026-12-01', null, true]], isRemoved: true },
      {},
      [],
    ],
  ];
  for (const [name, known, roster, expected] of absences) {
    it(`absences, ${name}`, () => {
      const { facts } = mergeEntry(stored(known), { ...eva, ...roster });
      const found = describeAbsences(facts.absences);
      assert.deepEqual(
        found.map((one) => `${one.startDate}${one.byHand ? ' by hand' : ''}`),
        expected,
      );
    });
  }
});
