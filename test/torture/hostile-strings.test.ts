import { test } from 'node:test';
import { hostileStrings } from '../../torture/hostile-strings/index.ts';
import { assertHolds } from './trial.ts';

test('hostile texts stay texts, in every field and every output', (t) => assertHolds(t, hostileStrings));
