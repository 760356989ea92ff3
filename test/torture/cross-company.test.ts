import { test } from 'node:test';
import { crossCompany } from '../../torture/cross-company/index.ts';
import { assertHolds } from './trial.ts';

test('what names something of another company is answered like what names nothing', (t) =>
  assertHolds(t, crossCompany));
