import { test } from 'node:test';
import { generatedRequests } from '../../torture/generated-requests/index.ts';
import { assertHolds } from './trial.ts';

test('generated requests are answered as documented, and no mistake is accepted', (t) =>
  assertHolds(t, generatedRequests));
