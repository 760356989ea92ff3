import { test } from 'node:test';
import { apiKilled } from '../../torture/api-killed.ts';
import { assertPasses } from './scenario.ts';

test('a roster that was answered 204 is stored whole, though the API is killed', (t) => assertPasses(t, apiKilled));
