import { test } from 'node:test';
import { mixedLoad } from '../../../torture/mixed-load.ts';
import { assertPasses } from './scenario.ts';

test('reads, rosters, portal visits and daily runs at once cause no error', (t) => assertPasses(t, mixedLoad));
