import { test } from 'node:test';
import { hostileStrings } from '../../../torture/hostile-strings/index.ts';
import { assertPasses } from './scenario.ts';

test('hostile texts stay texts in every field and every output', (t) => assertPasses(t, hostileStrings));
