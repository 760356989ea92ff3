import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { runsOf } from '../../../../test/support/domain/runs.ts';
import { type EntryKeys, type MatchCandidate, matchRoster } from './match.ts';

const settings = { guardMinimumLinked: 100, guardMaximumAbsentPercent: 20 };
const employee = (id: number, fields: Partial<MatchCandidate> = {}): MatchCandidate => ({
  id,
  emailKey: `p${id}@x`,
  hrId: `E${id}`,
  linkedElsewhere: false,
  isRemoved: false,
  isLeaving: false,
  isRemovedImmediately: false,
  ...fields,
});
const entry = (hrId: string, emailKey: string): EntryKeys => ({ hrId, emailKey });
const employees = (count: number) => Array.from({ length: count }, (_, n) => employee(n + 1));
const entriesOf = (known: MatchCandidate[]) => known.map(({ hrId, emailKey }) => entry(hrId ?? '', emailKey));

describe('matching a roster', () => {
  const cases: [string, MatchCandidate[], EntryKeys[], unknown[]][] = [
    [
      'by the id in the HR system',
      [employee(1)],
      [entry('E1', 'new@x')],
      [{ kind: 'known', employeeId: 1, by: 'hr-id' }],
    ],
    [
      'by email to one not linked',
      [employee(1, { hrId: null })],
      [entry('E9', 'p1@x')],
      [{ kind: 'known', employeeId: 1, by: 'email' }],
    ],
    [
      'by email to one renumbered',
      [employee(1)],
      [entry('E9', 'p1@x')],
      [{ kind: 'known', employeeId: 1, by: 'renumbered' }],
    ],
    [
      'as new otherwise',
      [employee(1)],
      [entry('E1', 'p1@x'), entry('E2', 'p2@x')],
      [{ kind: 'known', employeeId: 1, by: 'hr-id' }, { kind: 'new' }],
    ],
    [
      'to a removed employee, who is back',
      [employee(1, { isRemoved: true })],
      [entry('E1', 'p1@x')],
      [{ kind: 'known', employeeId: 1, by: 'hr-id' }],
    ],
    [
      'to the visible one of two with the same address',
      [employee(1, { isRemoved: true, hrId: null }), employee(2, { emailKey: 'p1@x', hrId: null })],
      [entry('E9', 'p1@x')],
      [{ kind: 'known', employeeId: 2, by: 'email' }],
    ],
    [
      'when two swap their addresses',
      [employee(1), employee(2)],
      [entry('E1', 'p2@x'), entry('E2', 'p1@x')],
      [
        { kind: 'known', employeeId: 1, by: 'hr-id' },
        { kind: 'known', employeeId: 2, by: 'hr-id' },
      ],
    ],
    [
      'but not to an address that another one keeps',
      [employee(1), employee(2, { hrId: null })],
      [entry('E1', 'p2@x')],
      [{ kind: 'failed', employeeId: 1, code: 'email-taken', holderId: 2 }],
    ],
    [
      'and one failure may cause the next',
      [employee(1), employee(2), employee(3, { hrId: null })],
      [entry('E1', 'p3@x'), entry('E2', 'p1@x')],
      [
        { kind: 'failed', employeeId: 1, code: 'email-taken', holderId: 3 },
        { kind: 'failed', employeeId: 2, code: 'email-taken', holderId: 1 },
      ],
    ],
    [
      'to an address that an immediately removed employee releases',
      [employee(1), employee(2, { isRemovedImmediately: true })],
      [entry('E1', 'p2@x')],
      [{ kind: 'known', employeeId: 1, by: 'hr-id' }],
    ],
  ];
  for (const [name, known, entries, expected] of cases) {
    it(name, () => assert.deepEqual(matchRoster(known, entries, settings).matches, expected));
  }

  it('requires approval only if 100 are linked and more than 20 % of them are missing', () => {
    const absence = (linked: number, absent: number) =>
      matchRoster(employees(linked), entriesOf(employees(linked)).slice(absent), settings);
    assert.deepEqual([absence(99, 90).needsApproval, absence(99, 90).absentIds.length], [false, 90]);
    assert.deepEqual([absence(100, 20).needsApproval, absence(100, 20).absentIds.length], [false, 20]);
    assert.deepEqual([absence(100, 21).needsApproval, absence(100, 21).absentIds.length], [true, 21]);
    const leavers = employees(120).map((known, n) => (n < 40 ? { ...known, isLeaving: true } : known));
    assert.equal(matchRoster(leavers, entriesOf(leavers).slice(60), settings).needsApproval, false);
    const off = { ...settings, guardMaximumAbsentPercent: 100 };
    assert.equal(matchRoster(employees(100), [entry('X', 'x@x')], off).needsApproval, false);
  });

  const emails = ['a@x', 'b@x', 'c@x', 'd@x', 'e@x', 'f@x'];
  const arbitraryPeople = fc
    .uniqueArray(
      fc.record({
        hr: fc.option(fc.nat(7), { nil: null }),
        emailKey: fc.constantFrom(...emails),
        isRemoved: fc.boolean(),
        isLeaving: fc.boolean(),
        isRemovedImmediately: fc.boolean(),
        linkedElsewhere: fc.boolean(),
      }),
      { selector: ({ hr, emailKey, isRemoved }) => (isRemoved ? `r${hr}` : emailKey), maxLength: 6 },
    )
    .map((rows) => {
      const used = new Set<number>();
      return rows.map(({ hr, ...rest }, index) => {
        const isFree = hr !== null && !used.has(hr);
        if (isFree) used.add(hr);
        return { ...rest, id: index + 1, hrId: isFree ? `E${hr}` : null };
      });
    });
  const arbitraryEntries = fc
    .uniqueArray(fc.tuple(fc.nat(7), fc.constantFrom(...emails)), { selector: ([hr]) => hr, maxLength: 6 })
    .map((pairs) => {
      const used = new Set<string>();
      return pairs
        .filter(([, email]) => !used.has(email) && used.add(email))
        .map(([hr, email]) => entry(`E${hr}`, email));
    });

  it('never matches one employee to two entries, nor gives one address to two visible employees, in any order', () => {
    fc.assert(
      fc.property(arbitraryPeople, arbitraryEntries, fc.integer(), (known, entries, seed) => {
        const { matches, absentIds, needsApproval: isHeld } = matchRoster(known, entries, settings);
        const matched = matches.flatMap((match) => (match.kind === 'known' ? [match.employeeId] : []));
        assert.equal(new Set(matched).size, matched.length);
        assert.equal(isHeld, false);

        const finals = new Map<string, string>();
        const claim = (email: string, who: string) => {
          assert.equal(finals.get(email), undefined, `${email} belongs to ${finals.get(email)} and ${who}`);
          finals.set(email, who);
        };
        const byId = new Map(known.map((one) => [one.id, one]));
        matches.forEach((match, index) => {
          if (match.kind !== 'failed') claim(entries[index]?.emailKey ?? '', `entry ${index}`);
        });
        for (const one of known) {
          const isGone = absentIds.includes(one.id) && one.isRemovedImmediately && !one.linkedElsewhere;
          if (!one.isRemoved && !matched.includes(one.id) && !isGone) claim(one.emailKey, `employee ${one.id}`);
        }
        for (const match of matches) if (match.kind === 'failed') assert(byId.has(match.holderId));

        const shuffled = entries
          .map((one, index) => ({ one, index }))
          .sort((a, b) => ((a.index * 7 + seed) % 11) - ((b.index * 7 + seed) % 11));
        const again = matchRoster(
          known.toReversed(),
          shuffled.map(({ one }) => one),
          settings,
        );
        shuffled.forEach(({ index }, position) => {
          assert.equal(again.matches[position]?.kind, matches[index]?.kind);
        });
        assert.deepEqual(again.absentIds.toSorted(), absentIds.toSorted());
      }),
      { numRuns: runsOf(3000) },
    );
  });
});
