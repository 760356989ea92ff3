import assert from 'node:assert/strict';
import { test } from 'node:test';
import { integrationStatuses, syncOutcomes } from '../../../domain/enums.ts';
import { healthIssue } from './status.ts';

test('an integration needs attention if it is invalid or its last sync failed as a whole, unless it is disabled', () => {
  const issues = integrationStatuses.map((status) => [null, ...syncOutcomes].map((last) => healthIssue(status, last)));
  assert.deepEqual(issues, [
    [null, null, null, 'failed', 'authentication-failed'],
    ['invalid', 'invalid', 'invalid', 'invalid', 'invalid'],
    [null, null, null, null, null],
  ]);
});
