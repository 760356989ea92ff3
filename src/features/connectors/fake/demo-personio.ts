import { type FakeAbsence, type FakePerson, startFakePersonio } from './fake-personio.ts';

/**
 * The credentials of "Personio (demo)": on staging, they connect to a fake with invented people, which refuses any other
 * secret.
 */
export const demoCredential = 'demo';

export const isDemoClient = ({ clientId }: Readonly<Record<string, string | number>>) => clientId === demoCredential;

const firstNames = 'Amira Ben Clara Deniz Emil Farah Georg Hanna Ivo Jana Karim Lena'.split(' ');
const lastNames = 'Albers Brandt Çelik Dietz Engel Fuchs Groß Horn Ilić Jung Kraus Lang'.split(' ');
const size = 48;

const fold = (name: string) => name.normalize('NFD').replaceAll(/\p{M}/gu, '').replace('ß', 'ss').toLowerCase();

function inventPerson(index: number): FakePerson {
  const first = firstNames[index % firstNames.length] ?? '';
  const last = lastNames[(index * 5 + Math.floor(index / firstNames.length)) % lastNames.length] ?? '';
  const isGone = index % 16 === 15;
  return {
    id: 70_001 + index,
    first_name: first,
    last_name: last,
    email: `${fold(first)}.${fold(last)}.${index + 1}@personio-demo.example`,
    hire_date: `20${18 + (index % 8)}-0${1 + (index % 9)}-01`,
    termination_date: isGone ? '2026-03-31' : null,
    status: isGone ? 'inactive' : 'active',
    dynamic_1001: index % 4 === 0 ? 'Nein' : 'Ja',
    fix_salary: 3_000 + index,
  };
}

function inventAbsences(today: Temporal.PlainDate): FakeAbsence[] {
  const next = today.with({ day: 1 }).add({ months: 1 });
  const [start, end] = [next.toString(), next.add({ months: 3 }).subtract({ days: 1 }).toString()];
  return [
    { personId: 70_003, typeId: 'parental-leave', start, end, status: 'APPROVED' },
    { personId: 70_010, typeId: 'vacation', start, end: next.add({ days: 9 }).toString(), status: 'APPROVED' },
  ];
}

let opened: Promise<string> | undefined;

/** Returns the origin of the fake, which runs in this process from the first use on. Its people are always the same. */
export function openDemoPersonio(): Promise<string> {
  opened ??= startFakePersonio({
    clientId: demoCredential,
    clientSecret: demoCredential,
    people: Array.from({ length: size }, (_, index) => inventPerson(index)),
    absences: inventAbsences(Temporal.Now.plainDateISO('UTC')),
    absenceTypes: [
      { id: 'parental-leave', name: 'Elternzeit' },
      { id: 'vacation', name: 'Urlaub' },
    ],
  }).then(({ origin }) => origin);
  return opened;
}
