import { test } from 'node:test';
import { issuerScenario } from '../../../torture/issuer/index.ts';
import { assertPasses } from './scenario.ts';

test('tickets of an issuer are ordered and charged once although workers are killed and the issuer fails', (t) =>
  assertPasses(t, issuerScenario));
