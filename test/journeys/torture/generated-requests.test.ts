import { test } from 'node:test';
import { generatedRequests } from '../../../torture/generated-requests/index.ts';
import { assertPasses } from './scenario.ts';

test('generated requests get documented responses, and no mistake is accepted', (t) =>
  assertPasses(t, generatedRequests));
