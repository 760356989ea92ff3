import { test } from 'node:test';
import { mixedLoad } from '../../torture/mixed-load/index.ts';
import { assertPasses } from './scenario.ts';

test('reads, rosters, portal and passing days at once meet no error', (t) => assertPasses(t, mixedLoad));
