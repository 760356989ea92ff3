import { test } from 'node:test';
import { dumpRestore } from '../../../torture/dump-restore/index.ts';
import { neededPrograms } from '../../../torture/support/postgres.ts';
import { findInstalled, notInstalled } from '../../support/installed-programs.ts';
import { assertPasses } from './scenario.ts';

const skip = (await findInstalled(neededPrograms)) === undefined && notInstalled(neededPrograms);

test('a dump taken under load is complete, and the service continues from it', { skip }, (t) =>
  assertPasses(t, dumpRestore),
);
