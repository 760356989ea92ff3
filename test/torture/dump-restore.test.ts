import { test } from 'node:test';
import { dumpRestore } from '../../torture/dump-restore/index.ts';
import { findInstalled, notInstalled } from '../../torture/dump-restore/installed-postgres.ts';
import { assertHolds } from './trial.ts';

const skip = (await findInstalled()) === undefined && notInstalled;

test('a dump taken under load holds everything, and the service goes on from it', { skip }, (t) =>
  assertHolds(t, dumpRestore),
);
