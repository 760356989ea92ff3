import { test } from 'node:test';
import { workerKilled } from '../../torture/worker-killed/index.ts';
import { assertPasses } from './scenario.ts';

test('rosters, days and letters happen once each, though workers are killed in the middle of them', (t) =>
  assertPasses(t, workerKilled));
