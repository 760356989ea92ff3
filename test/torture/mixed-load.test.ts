import { test } from 'node:test';
import { mixedLoad } from '../../torture/mixed-load/index.ts';
import { assertHolds } from './trial.ts';

test('reads, rosters, portal and passing days at once meet no error', (t) => assertHolds(t, mixedLoad));
