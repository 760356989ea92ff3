import { test } from 'node:test';
import { workerKilled } from '../../../torture/worker-killed/index.ts';
import { assertPasses } from './scenario.ts';

test('syncs, daily runs and documents are processed once although workers are killed', (t) =>
  assertPasses(t, workerKilled));
