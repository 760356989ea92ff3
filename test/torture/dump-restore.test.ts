import { test } from 'node:test';
import { dumpRestore, neededPrograms } from '../../torture/dump-restore/index.ts';
import { findInstalled, notInstalled } from '../support/installed-programs.ts';
import { assertHolds } from './trial.ts';

const skip = (await findInstalled(neededPrograms)) === undefined && notInstalled(neededPrograms);

test('a dump taken under load holds everything, and the service goes on from it', { skip }, (t) =>
  assertHolds(t, dumpRestore),
);
