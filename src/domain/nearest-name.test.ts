import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNearestName } from './nearest-name.ts';

const known = ['dryRun', 'terminationDate', 'startDate', 'page', 'perPage', 'id', 'ids', 'hrId', 'email'];

for (const [written, meant] of [
  ['dryrun', 'dryRun'],
  ['dry_run', 'dryRun'],
  ['dry-run', 'dryRun'],
  ['DRY RUN', 'dryRun'],
  ['dryRnu', 'dryRun'],
  ['dryRuns', 'dryRun'],
  ['terminationdate', 'terminationDate'],
  ['termination.date', 'terminationDate'],
  ['terminatonDte', 'terminationDate'],
  ['starDate', 'startDate'],
  ['e-mail', 'email'],
  ['per_page', 'perPage'],
  ['HR_ID', 'hrId'],
] as const) {
  test(`${written} stands for ${meant}`, () => assert.equal(findNearestName(written, known), meant));
}

for (const name of ['', 'di', 'ip', 'hrIdx', 'costCenter', 'terminatiXXXDate', 'x'.repeat(100_000)]) {
  test(`${name.slice(0, 20) || 'an empty name'} stands for none`, () =>
    assert.equal(findNearestName(name, known), undefined));
}

test('the nearest of several names is used, or the first of equally near ones', () => {
  assert.equal(findNearestName('lastname1', ['firstname1', 'lastname12', 'lastname']), 'lastname12');
  assert.equal(findNearestName('sortfielt', ['sortField', 'sortFielx']), 'sortField');
});
