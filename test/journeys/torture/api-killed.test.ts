import { test } from 'node:test';
import { apiKilled } from '../../../torture/api-killed.ts';
import { assertPasses } from './scenario.ts';

test('a roster acknowledged with 204 is stored completely although the API is killed', (t) =>
  assertPasses(t, apiKilled));
