import { test } from 'node:test';
import { overloaded } from '../../torture/overload.ts';
import { assertPasses } from './scenario.ts';

test('requests beyond what the service can bear are refused with Retry-After, and the others answered', (t) =>
  assertPasses(t, overloaded));
