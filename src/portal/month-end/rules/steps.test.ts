import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composeSteps, type MonthFacts, stepNames } from './steps.ts';

/** The present month, with everything done. */
const complete: MonthFacts = {
  isOver: false,
  rosterIssues: 0,
  grossCents: 345_00,
  payroll: { waitingLines: 0, problems: 0, missingSettings: 0 },
  exports: [{ isHandedOver: true }],
  invoices: [{ isDownloadable: true }],
  missingForInvoice: 0,
};

const notBilled: MonthFacts = { ...complete, grossCents: null, exports: [], invoices: [] };
const waiting = { waitingLines: 2, problems: 0, missingSettings: 0 };

/** The states in the order of the steps, and the next step. */
const cases: [name: string, facts: MonthFacts, states: string, next: string | null][] = [
  ['complete', complete, 'done done done done', null],
  ['not billed yet', notBilled, 'done waiting waiting waiting', null],
  [
    'not billed, settings missing',
    { ...notBilled, payroll: { ...waiting, waitingLines: 0, missingSettings: 2 } },
    'done waiting waiting waiting',
    null,
  ],
  [
    'not billed, but a correction of the month before waits',
    { ...notBilled, payroll: waiting },
    'done waiting todo waiting',
    'payroll',
  ],
  ['roster overdue', { ...complete, rosterIssues: 1 }, 'todo done done done', 'roster'],
  [
    'roster overdue today, in a month that is over',
    { ...complete, isOver: true, rosterIssues: 1 },
    'done done done done',
    null,
  ],
  ['to be exported', { ...complete, payroll: waiting, exports: [] }, 'done done todo done', 'payroll'],
  [
    'settings missing',
    { ...complete, payroll: { ...waiting, missingSettings: 1 }, exports: [] },
    'done done blocked done',
    'payroll',
  ],
  [
    'nobody has a usable number',
    { ...complete, payroll: { waitingLines: 0, problems: 3, missingSettings: 0 }, exports: [] },
    'done done blocked done',
    'payroll',
  ],
  [
    'settings missing, but nothing to export',
    { ...complete, payroll: { ...waiting, waitingLines: 0, missingSettings: 1 } },
    'done done done done',
    null,
  ],
  ['exported, not handed over', { ...complete, exports: [{ isHandedOver: false }] }, 'done done todo done', 'payroll'],
  [
    'the difference is not handed over',
    { ...complete, exports: [{ isHandedOver: true }, { isHandedOver: false }] },
    'done done todo done',
    'payroll',
  ],
  ['handed over, then corrected', { ...complete, payroll: waiting }, 'done done todo done', 'payroll'],
  ['no tickets, only a fee', { ...complete, exports: [] }, 'done done done done', null],
  ['nothing to pay', { ...complete, grossCents: 0, exports: [], invoices: [] }, 'done done done done', null],
  [
    'invoice not issued, data missing',
    { ...complete, invoices: [], missingForInvoice: 2 },
    'done done done blocked',
    'invoice',
  ],
  ['invoice about to be issued', { ...complete, invoices: [] }, 'done done done waiting', null],
  [
    'files of the invoice being written',
    { ...complete, invoices: [{ isDownloadable: false }] },
    'done done done waiting',
    null,
  ],
  [
    'everything open',
    { ...complete, rosterIssues: 2, payroll: waiting, exports: [], invoices: [], missingForInvoice: 1 },
    'todo done todo blocked',
    'roster',
  ],
];

describe('the steps of a month', () => {
  for (const [name, facts, states, next] of cases) {
    it(name, () => {
      const month = composeSteps(facts);
      assert.equal(stepNames.map((step) => month.steps[step]).join(' '), states);
      assert.equal(month.next, next);
      assert.equal(month.isDone, states === 'done done done done');
    });
  }
});
