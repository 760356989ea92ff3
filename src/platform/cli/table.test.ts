import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTable } from './table.ts';

describe('formatTable', () => {
  it('writes records as aligned rows, numbers to the right', () => {
    const rows = [
      { id: 9, name: 'Ada', lastSignInAt: null, disabled: false },
      { id: 10, name: 'Grace Hopper', lastSignInAt: '2026-11-14', disabled: true },
    ];
    assert.equal(
      formatTable(rows),
      [
        'Id  Name          Last sign in at  Disabled',
        ' 9  Ada           -                no',
        '10  Grace Hopper  2026-11-14       yes',
        '',
      ].join('\n'),
    );
  });

  it('writes one block per record if a line would not fit', () => {
    const rows = [
      { name: 'Ada', id: 9 },
      { name: 'Grace Hopper', id: 10 },
    ];
    assert.equal(formatTable(rows, 12), 'Id    9\nName  Ada\n\nId    10\nName  Grace Hopper\n');
    assert.match(formatTable(rows, 16), /^Id {2}Name\n 9 {2}Ada\n/);
  });

  it('breaks the long cells of a table with few columns', () => {
    const rows = [
      { check: 'disk', status: 'error', finding: 'the disk of the database server is full', remedy: 'enlarge it' },
      { check: 'a', status: 'ok', finding: `/${'x'.repeat(40)} can be used`, remedy: null },
    ];
    assert.equal(
      formatTable(rows, 64),
      [
        'Check  Status  Finding                      Remedy',
        'disk   error   the disk of the database     enlarge it',
        '               server is full',
        `a      ok      /${'x'.repeat(26)}  -`,
        `               ${'x'.repeat(14)} can be used`,
        '',
      ].join('\n'),
    );
    assert(
      formatTable(rows, 70)
        .split('\n')
        .every((line) => line.length <= 70),
    );
  });

  it('writes a record as one line per field, then its lists', () => {
    assert.equal(
      formatTable({ companies: 2, differences: [{ companyId: 1, count: 3 }], applied: [], permissions: ['a', 'b'] }),
      [
        'Companies    2',
        'Applied      -',
        'Permissions  a, b',
        '',
        'Differences:',
        'Company id  Count',
        '         1      3',
        '',
      ].join('\n'),
    );
  });

  it('escapes what would break the line or turn the text around', () => {
    assert.equal(formatTable({ name: 'a\nb\u001b[31m\u202ec' }), 'Name  a\\u000ab\\u001b[31m\\u202ec\n');
  });

  it('says so if there is nothing', () => {
    assert.equal(formatTable([]), 'Nothing found.\n');
  });
});
