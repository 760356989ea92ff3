import { test } from 'node:test';
import { workerKilled } from '../../torture/worker-killed.ts';
import { assertHolds } from './trial.ts';

test('rosters are applied once and in order, though workers are killed and the database crashes', (t) =>
  assertHolds(t, workerKilled));
