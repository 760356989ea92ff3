import { test } from 'node:test';
import { citus } from '../../../torture/citus/index.ts';
import { assertPasses } from './scenario.ts';

test('killing servers of a Citus cluster loses nothing and does nothing twice', (t) => assertPasses(t, citus));
