import { test } from 'node:test';
import { crossCompany } from '../../../torture/cross-company/index.ts';
import { assertPasses } from './scenario.ts';

test('a request that names something of another company gets the same response as one that names nothing', (t) =>
  assertPasses(t, crossCompany));
