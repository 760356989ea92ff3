import { test } from 'node:test';
import { malformedHttp } from '../../../torture/malformed-http/index.ts';
import { assertPasses } from './scenario.ts';

test('malformed messages are refused and hide nothing, and slow connections delay nobody', (t) =>
  assertPasses(t, malformedHttp));
