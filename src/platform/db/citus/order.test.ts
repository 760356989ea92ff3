import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderByReferences } from './order.ts';

test('parents come before the tables that refer to them', () => {
  const ordered = orderByReferences('companies', [
    { table: 'absences', parent: 'employees' },
    { table: 'absences', parent: 'companies' },
    { table: 'employees', parent: 'companies' },
    { table: 'charges', parent: 'charges' },
    { table: 'charges', parent: 'employees' },
  ]);
  assert.deepEqual(ordered, ['companies', 'employees', 'absences', 'charges']);
});

test('tables that nothing ties to the root are left out', () => {
  assert.deepEqual(orderByReferences('companies', [{ table: 'sessions', parent: 'users' }]), ['companies']);
});

test('a circle of foreign keys is reported with its tables', () => {
  const references = [
    { table: 'a', parent: 'companies' },
    { table: 'a', parent: 'b' },
    { table: 'b', parent: 'a' },
  ];
  assert.throws(() => orderByReferences('companies', references), /circle: a, b/);
});
