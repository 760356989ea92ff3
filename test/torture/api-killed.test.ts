import { test } from 'node:test';
import { apiKilled } from '../../torture/api-killed.ts';
import { assertHolds } from './trial.ts';

test('a roster that was answered 204 is stored whole, though the API is killed', (t) => assertHolds(t, apiKilled));
