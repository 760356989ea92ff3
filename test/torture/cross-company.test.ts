import { test } from 'node:test';
import { crossCompany } from '../../torture/cross-company/index.ts';
import { assertPasses } from './scenario.ts';

test('what names something of another company is answered like what names nothing', (t) =>
  assertPasses(t, crossCompany));
