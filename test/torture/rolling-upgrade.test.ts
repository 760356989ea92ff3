import { test } from 'node:test';
import { rollingUpgrade } from '../../torture/rolling-upgrade/index.ts';
import { findPreviousRelease } from '../../torture/rolling-upgrade/previous-release.ts';
import { assertPasses } from './scenario.ts';

test('the previous release and this one work side by side', async (t) => {
  const release = await findPreviousRelease();
  if (typeof release === 'string') return t.skip(release);
  return assertPasses(t, rollingUpgrade);
});
