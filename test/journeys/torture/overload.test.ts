import { test } from 'node:test';
import { overloaded } from '../../../torture/overload.ts';
import { assertPasses } from './scenario.ts';

test('requests beyond the capacity of the service are refused with Retry-After, and the others are served', (t) =>
  assertPasses(t, overloaded));
