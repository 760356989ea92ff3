import { test } from 'node:test';
import { plantedSecrets } from '../../../torture/planted-secrets/index.ts';
import { assertPasses } from './scenario.ts';

test('secrets are in no log, no error and no table, and personal data is in no log', (t) =>
  assertPasses(t, plantedSecrets));
