import { startFakePersonio } from '../../src/features/connectors/fake/fake-personio.ts';
import { aPerson } from '../../test/support/fake-hr/personio.ts';

/** A fake of Personio in a process of its own, so that it does not compete with what is measured. Prints its origin. */
const { count } = JSON.parse(process.argv[2] ?? '{}') as { count: number };
const people = Array.from({ length: count }, (_, index) => aPerson(index + 1));
const absences = people
  .filter(({ id }) => id % 5 === 0)
  .map(({ id }) => ({
    personId: id,
    typeId: 'leave',
    start: '2026-12-01',
    end: '2027-02-28',
    status: 'APPROVED' as const,
  }));
const { origin } = await startFakePersonio({ people, absences });
process.stdout.write(`${origin}\n`);
// The server alone would not keep the process running.
setInterval(() => {}, 60_000);
