import { test } from 'node:test';
import { connectionFaults } from '../../../torture/connection-faults/index.ts';
import { assertPasses } from './scenario.ts';

test('every request ends in time and the pool recovers, whatever happens to its connections', (t) =>
  assertPasses(t, connectionFaults));
