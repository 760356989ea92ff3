import { test } from 'node:test';
import { workerKilled } from '../../torture/worker-killed/index.ts';
import { assertHolds } from './trial.ts';

test('rosters, days and letters happen once each, though workers are killed in the middle of them', (t) =>
  assertHolds(t, workerKilled));
