import {
  type FakePerson,
  type FakePersonio,
  startFakePersonio,
} from '../../../src/features/connectors/fake/fake-personio.ts';
import type { FakeServerOptions } from '../../../src/features/connectors/fake/fake-server.ts';

/** The fake of Personio also backs the demo, so it belongs to the program. Here are the people for tests. */
export type { FakePersonio };

export const aPerson = (id: number, fields: Partial<FakePerson> = {}): FakePerson => ({
  id,
  first_name: `First${id}`,
  last_name: `Last${id}`,
  email: `person${id}@example.com`,
  hire_date: '2020-01-01',
  termination_date: null,
  status: 'active',
  fix_salary: 'EUR 4711.11',
  ...fields,
});

const somePeople = (count: number, from = 1): FakePerson[] =>
  Array.from({ length: count }, (_, index) => aPerson(from + index));

export const startFakeWith = (count: number, fault?: FakeServerOptions['fault']) =>
  startFakePersonio({ people: somePeople(count) }, fault);
