import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '../../../domain/enums.ts';
import type { Task } from '../../contract.ts';
import { type Facts, findDeadline, listTasks } from './tasks.ts';

const day = (text: string) => Temporal.PlainDate.from(text);
const personio = { integrationId: 1, integrationName: 'Personio' };
const overdue = { ...personio, on: day('2026-11-17'), since: '2026-11-17T03:00:00Z', lastSynced: null };
const endpoint = { endpointId: 7, host: 'hr.example', since: '2026-11-17T03:00:00Z' };
const bill = { number: 'R-1', gross: { label: '1,00 €', value: 100 }, dueOn: '2026-12-15' };

/** A company with employees and nothing to do on 18 November 2026, with a cut-off on the 10th. */
const calm: Facts = {
  today: day('2026-11-18'),
  cutOffDay: 10,
  employees: { total: 10, subscribed: 8, unsubscribed: 0, undecided: 0 },
  canJoin: false,
  uploadTo: 1,
  removals: [],
  unhealthy: [],
  overdue: [],
  agreements: { open: 0, unlinked: 0, remindable: 0 },
  tickets: undefined,
  payroll: [],
  invoice: undefined,
  comingPrice: undefined,
  lateCharges: 0,
  endpoints: [],
};

const payroll = (period: string) => ({ period, missingSettings: [], problems: 0 });

const missing = (month: string) => ({ failed: 1, late: 0, failingSince: null, month });

/** Returns a task as `kind dueOn month`. */
const brief = (task: Task) => [task.kind, task.dueOn ?? 'now', 'month' in task ? task.month : ''].join(' ').trim();

test('each source makes a task with its deadline, and the month that it decides about', () => {
  const table: [name: string, facts: Partial<Facts>, tasks: string[]][] = [
    ['nothing to do', {}, []],
    ['no employees yet', { employees: { ...calm.employees, total: 0, subscribed: 0 } }, ['first-roster now']],
    [
      'no employees yet, and a failing endpoint',
      {
        employees: { ...calm.employees, total: 0, subscribed: 0 },
        endpoints: [{ ...endpoint, status: 'failing' }],
      },
      ['first-roster now', 'endpoint-unhealthy now'],
    ],
    [
      'removals, after the cut-off of this month',
      { removals: [{ ...personio, syncId: 's', removals: 3 }] },
      ['pending-removals 2026-12-10 2027-01-01'],
    ],
    [
      'removals, before the cut-off of this month',
      { today: day('2026-11-02'), removals: [{ ...personio, syncId: 's', removals: 3 }] },
      ['pending-removals 2026-11-10 2026-12-01'],
    ],
    ['a failed sync', { unhealthy: [{ ...personio, status: 'failed' }] }, ['integration-unhealthy now']],
    ['an overdue roster', { overdue: [overdue] }, ['roster-overdue 2026-11-17']],
    ['tickets of this month that are missing', { tickets: missing('2026-11-01') }, ['missing-tickets now 2026-11-01']],
    [
      'orders of the next month that have failed',
      { tickets: missing('2026-12-01') },
      ['missing-tickets 2026-11-30 2026-12-01'],
    ],
    [
      'an overdue roster of a broken connection',
      { overdue: [overdue, { ...overdue, integrationId: 2 }], unhealthy: [{ ...personio, status: 'invalid' }] },
      ['roster-overdue 2026-11-17', 'integration-unhealthy now'],
    ],
    [
      'open agreements',
      { agreements: { open: 2, unlinked: 1, remindable: 1 } },
      ['open-agreements 2026-11-30 2026-12-01'],
    ],
    [
      'undecided employees',
      { employees: { total: 10, subscribed: 0, unsubscribed: 4, undecided: 3 } },
      ['undecided-employees 2026-11-30 2026-12-01'],
    ],
    ['employees who opted out', { employees: { total: 10, subscribed: 0, unsubscribed: 4, undecided: 0 } }, []],
    [
      'payroll of the month before and of this one',
      { payroll: [payroll('2026-10-01'), payroll('2026-11-01')] },
      ['payroll 2026-10-31', 'payroll 2026-11-30'],
    ],
    [
      'payroll of two months, the first of which is blocked',
      { payroll: [{ ...payroll('2026-10-01'), problems: 1 }, payroll('2026-11-01')] },
      ['payroll 2026-10-31'],
    ],
    ['charges to correct', { lateCharges: 2 }, ['corrections 2026-11-30']],
    [
      'a new price until its cut-off',
      { comingPrice: { from: day('2027-01-01'), price: { value: 6600, label: '66,00 €' } } },
      ['price-change 2026-12-10 2027-01-01'],
    ],
    ['a new price after its cut-off', { comingPrice: { from: day('2026-12-01'), price: { value: 1, label: '' } } }, []],
    ['a new invoice', { invoice: bill }, ['invoice 2026-12-15']],
    ['a failing endpoint', { endpoints: [{ ...endpoint, status: 'failing' }] }, ['endpoint-unhealthy now']],
    ['four days before the cut-off', { today: day('2026-12-06') }, []],
    ['three days before the cut-off', { today: day('2026-12-07') }, ['cut-off 2026-12-10 2027-01-01']],
    ['the cut-off', { today: day('2026-12-10') }, ['cut-off 2026-12-10 2027-01-01']],
    ['the day after the cut-off', { today: day('2026-12-11') }, []],
    [
      'a cut-off at the end of a short month',
      { today: day('2027-02-25'), cutOffDay: 31 },
      ['cut-off 2027-02-28 2027-03-01'],
    ],
    [
      'the cut-off of a company without subscriptions',
      { today: day('2026-12-10'), employees: { ...calm.employees, subscribed: 0 } },
      [],
    ],
  ];
  for (const [name, facts, tasks] of table) {
    assert.deepEqual(listTasks({ ...calm, ...facts }, ['admin']).map(brief), tasks, name);
  }
});

/** Everything at once, on the day of the cut-off. */
const busy: Facts = {
  ...calm,
  today: day('2026-12-10'),
  employees: { total: 10, subscribed: 5, unsubscribed: 4, undecided: 3 },
  removals: [{ ...personio, syncId: 's', removals: 3 }],
  unhealthy: [{ integrationId: 2, integrationName: 'Upload', status: 'invalid' }],
  overdue: [overdue],
  agreements: { open: 2, unlinked: 1, remindable: 1 },
  payroll: [payroll('2026-11-01'), payroll('2026-12-01')],
  invoice: bill,
  endpoints: [{ ...endpoint, status: 'disabled' }],
};

test('the most urgent task is first, and each user sees those whose button they may use', () => {
  const all = [
    ...['roster-overdue 2026-11-17', 'payroll 2026-11-30', 'integration-unhealthy now'],
    ...['pending-removals 2026-12-10', 'cut-off 2026-12-10', 'endpoint-unhealthy now', 'invoice 2026-12-15'],
    ...['payroll 2026-12-31', 'open-agreements 2026-12-31', 'undecided-employees 2026-12-31'],
  ];
  const only = (...kinds: string[]) => all.filter((task) => kinds.includes(task.split(' ')[0] ?? ''));
  const table: [roles: Role[], tasks: string[]][] = [
    [['admin'], all],
    [['hr'], only('roster-overdue', 'pending-removals', 'cut-off', 'open-agreements', 'undecided-employees')],
    [['payroll'], only('payroll', 'invoice')],
    [['hr', 'payroll'], all.filter((task) => !task.includes('unhealthy'))],
    [['developer'], only('roster-overdue', 'integration-unhealthy', 'cut-off', 'endpoint-unhealthy')],
    [['viewer'], []],
  ];
  for (const [roles, tasks] of table) {
    const shown = listTasks(busy, roles).map((task) => `${task.kind} ${task.dueOn ?? 'now'}`);
    assert.deepEqual(shown, tasks, roles.join());
  }
});

test('the first roster is for those who can upload it, or create the integration', () => {
  const none = { ...calm, employees: { total: 0, subscribed: 0, unsubscribed: 0, undecided: 0 } };
  const seenBy = (facts: Facts) =>
    (['admin', 'hr', 'developer', 'payroll', 'viewer'] as const).filter((role) => listTasks(facts, [role]).length > 0);
  assert.deepEqual(seenBy(none), ['admin', 'hr', 'developer']);
  assert.deepEqual(seenBy({ ...none, uploadTo: null }), ['admin', 'developer']);
});

test('the next deadline is the cut-off or the first of the next month', () => {
  const table = [
    ['2026-11-02', 10, 'cut-off 2026-11-10'],
    ['2026-11-10', 10, 'cut-off 2026-11-10'],
    ['2026-11-11', 10, 'tickets 2026-12-01'],
    ['2026-11-11', 31, 'cut-off 2026-11-30'],
    ['2026-11-11', 1, 'cut-off 2026-12-01'],
  ] as const;
  for (const [today, cutOffDay, expected] of table) {
    const { kind, on } = findDeadline(day(today), cutOffDay);
    assert.equal(`${kind} ${on}`, expected, today);
  }
});
