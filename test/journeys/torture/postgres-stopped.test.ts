import { test } from 'node:test';
import { postgresStopped } from '../../../torture/postgres-stopped.ts';
import { assertPasses } from './scenario.ts';

test('no acknowledged write is lost when the database stops, and the service recovers soon after it is back', (t) =>
  assertPasses(t, postgresStopped));
