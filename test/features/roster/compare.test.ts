import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { getCompany } from '../../../src/features/companies/companies.ts';
import { compareRoster, takeAll } from '../../../src/features/roster/compare.ts';
import { loadKnownEmployees } from '../../../src/features/roster/load.ts';
import { matchEntries } from '../../../src/features/roster/match-entries.ts';
import { checkRoster } from '../../../src/features/roster/read-roster.ts';
import type { RosterPart } from '../../../src/features/roster/roster-parts.ts';
import type { RosterEntry } from '../../../src/features/roster/rules/entry.ts';
import { useApp } from '../../support/app.ts';
import { runsOf } from '../../support/domain/runs.ts';
import { anEntry, makePusher, type Pusher } from '../../support/sync.ts';

const today = Temporal.PlainDate.from('2026-11-19');
const size = 14;

/** What happens to somebody between two rosters, and how their next entry differs. */
const stateKinds = ['same', 'removed', 'leaving', 'not current', 'changed', 'moving', 'unlinked'] as const;
const entryKinds = ['same', 'renamed', 'renumbered', 'takes over', 'swaps', 'another person', 'absent'] as const;

const updates: Record<(typeof stateKinds)[number], string | undefined> = {
  same: undefined,
  removed: 'update employees set removed_at = now() where company_id = $1 and id = $2',
  leaving: 'update employees set is_leaving = true where company_id = $1 and id = $2',
  'not current': 'update hr_links set is_current = false where company_id = $1 and employee_id = $2',
  changed: 'update hr_links set entry_hash = null where company_id = $1 and employee_id = $2',
  moving: "update employees set email_key = 'moving ' || id where company_id = $1 and id = $2",
  unlinked: 'delete from hr_links where company_id = $1 and employee_id = $2',
};

const scenarios = fc.array(
  fc.record({ state: fc.constantFrom(...stateKinds), entry: fc.constantFrom(...entryKinds) }),
  {
    minLength: size,
    maxLength: size,
  },
);

interface Case {
  state: (typeof stateKinds)[number];
  entry: (typeof entryKinds)[number];
}

/** Returns the next roster. Keys occur once: an entry that takes over another's HR id or address makes them absent. */
function makeNext(cases: Case[]): RosterEntry[] {
  const next = cases.flatMap(({ entry }, index): RosterEntry[] => {
    const own = anEntry(index);
    const other = anEntry((index + 1) % size);
    if (entry === 'absent') return [];
    if (entry === 'renamed') return [{ ...own, lastName: 'Renamed' }];
    if (entry === 'renumbered') return [{ ...own, hrId: `N${index}` }];
    if (entry === 'takes over') return [{ ...own, hrId: other.hrId }];
    if (entry === 'swaps') return [{ ...own, email: other.email }];
    const person = {
      firstName: 'Xaver',
      lastName: 'Quandt',
      email: `new.${index}@example.com`,
      dateOfBirth: '1999-01-01',
    };
    return entry === 'another person' ? [{ ...own, ...person }] : [own];
  });
  const [hrIds, emails] = [new Set<string>(), new Set<string>()];
  return [...next, anEntry(100), anEntry(101)].filter(({ hrId, email }) => {
    if (hrIds.has(hrId) || emails.has(email)) return false;
    hrIds.add(hrId);
    emails.add(email);
    return true;
  });
}

async function setState({ app, companyId }: Pusher, cases: Case[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from employees where company_id = ${companyId} order by id`.execute(app.db);
  for (const [index, { id }] of rows.entries()) {
    const [head = '', tail = ''] = (updates[cases[index]?.state ?? 'same'] ?? '').split('$1 and ');
    if (head === '') continue;
    const column = tail.replace(' = $2', '');
    await sql`${sql.raw(head)} ${companyId} and ${sql.raw(column)} = ${id}`.execute(app.db);
  }
}

describe('Comparing a roster in the database', () => {
  const app = useApp({ worker: 'without documents' });

  /** Returns what the matching decides for each entry, and for everybody absent. */
  async function match(pusher: Pusher, parts: RosterPart[], isCompared: boolean) {
    const { companyId, integrationId: hrIntegrationId } = pusher;
    const target = { companyId, hrIntegrationId };
    const company = await getCompany(app.db, companyId);
    const context = { db: app.db, target, company, today, missedDays: [] };
    const { known, ...chosen } = isCompared
      ? await compareRoster(context, parts)
      : await takeAll(parts, await loadKnownEmployees(app.db, target, today));
    const byId = new Map(known.map((employee) => [employee.id, employee]));
    const { match, movingIds, readMatched } = await matchEntries(context, byId, { roster: parts, ...chosen });
    const matches = new Map<string, unknown>();
    for await (const batch of readMatched()) for (const one of batch) matches.set(one.entry.hrId, one.match);
    const { absentIds, needsApproval, releasedIds } = match;
    return { matches, repeated: chosen.repeated, rest: { absentIds, needsApproval, releasedIds, movingIds } };
  }

  it('decides the same as matching all entries with all employees', async () => {
    let repeatedCount = 0;
    await fc.assert(
      fc.asyncProperty(scenarios, async (cases) => {
        const pusher = await makePusher(app);
        await pusher.sync(
          'first',
          Array.from({ length: size }, (_, index) => anEntry(index)),
        );
        await setState(pusher, cases);
        async function* entries() {
          for (const entry of makeNext(cases)) yield { entry };
        }
        const { parts, keys } = await checkRoster(entries(), { maxEntries: 1_000, today });
        const all = await match(
          pusher,
          parts.map((content) => ({ readContent: async () => content, keys: null })),
          false,
        );
        for (const stored of [keys, []]) {
          const roster = parts.map((content, part) => ({
            readContent: async () => content,
            keys: stored[part] ?? null,
          }));
          const compared = await match(pusher, roster, true);
          assert.deepEqual(compared.rest, all.rest);
          for (const [hrId, found] of compared.matches) assert.deepEqual(found, all.matches.get(hrId), hrId);
          assert.equal(compared.matches.size + compared.repeated, all.matches.size);
          // Those left out keep their employee.
          for (const [hrId, found] of all.matches) {
            if (!compared.matches.has(hrId)) assert.equal((found as { by?: string }).by, 'hr-id');
          }
          repeatedCount += compared.repeated;
        }
      }),
      { numRuns: runsOf(60) },
    );
    assert.ok(repeatedCount > 0);
  });
});
