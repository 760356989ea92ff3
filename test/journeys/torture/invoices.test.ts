import { test } from 'node:test';
import { invoices } from '../../../torture/invoices.ts';
import { assertPasses } from './scenario.ts';

test('invoice numbers have no gaps although workers are killed', (t) => assertPasses(t, invoices));
