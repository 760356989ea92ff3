import { test } from 'node:test';
import { connectionFaults } from '../../torture/connection-faults/index.ts';
import { assertHolds } from './trial.ts';

test('every request ends in time and the pool recovers, whatever becomes of its connections', (t) =>
  assertHolds(t, connectionFaults));
