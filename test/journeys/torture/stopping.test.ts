import { test } from 'node:test';
import { stopping } from '../../../torture/stopping.ts';
import { assertPasses } from './scenario.ts';

test('a service that is stopped under load completes the requests it has received', (t) => assertPasses(t, stopping));
