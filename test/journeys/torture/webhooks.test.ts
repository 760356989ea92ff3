import { test } from 'node:test';
import { webhooks } from '../../../torture/webhooks.ts';
import { assertPasses } from './scenario.ts';

test('every event is delivered although workers are killed and receivers fail', (t) => assertPasses(t, webhooks));
