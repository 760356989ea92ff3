import { test } from 'node:test';
import { stopping } from '../../torture/stopping.ts';
import { assertPasses } from './scenario.ts';

test('a service that is stopped under load answers what it has been asked', (t) => assertPasses(t, stopping));
