import { test } from 'node:test';
import { rollingUpgrade } from '../../../torture/rolling-upgrade/index.ts';
import { assertPasses } from './scenario.ts';

test('the previous release and this one work side by side', (t) => assertPasses(t, rollingUpgrade));
