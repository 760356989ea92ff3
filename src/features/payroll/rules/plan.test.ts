import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { runsOf } from '../../../../test/support/domain/runs.ts';
import { payrollSystems } from '../../../domain/enums.ts';
import { splitTicket } from '../../billing/rules/benefit.ts';
import { toPersonnelNumber } from './personnel-number.ts';
import {
  createPlan,
  listMissingSettings,
  type PayrollItem,
  type PayrollLine,
  type PayrollRules,
  type PlannedItem,
  sumKinds,
} from './plan.ts';

const rules: PayrollRules = {
  payrollSystem: 'datev-lodas',
  personnelNumberRule: 'hr-id',
  taxTreatment: 'tax-free',
  benefitValuation: 96,
  policies: [],
};
const anItem = (id: number, fields: Partial<PayrollItem> = {}): PayrollItem => ({
  id,
  month: '2026-11-01',
  policyId: null,
  group: null,
  employeeId: id,
  name: `Employee ${id}`,
  personnelNumber: null,
  hrIds: [String(id)],
  billedHrId: null,
  exportedNumber: null,
  grossCents: 5985,
  employeeShareCents: 2000,
  counterpart: null,
  ...fields,
});
function planExport(items: PayrollItem[], current: PayrollRules) {
  const plan = createPlan(current);
  for (const item of items) plan.add(item);
  return plan.finish();
}
const describeLines = (lines: PayrollLine[]) =>
  lines.map(({ personnelNumber, kind, cents }) => `${personnelNumber} ${kind} ${cents}`);

describe('the personnel number of an employee', () => {
  const numberOf = (
    fields: Partial<PayrollItem>,
    personnelNumberRule: PayrollRules['personnelNumberRule'] = 'hr-id',
  ) => {
    const { items, problems } = planExport([anItem(1, fields)], { ...rules, personnelNumberRule });
    return items[0]?.personnelNumber ?? problems[0]?.code;
  };

  it('is that of the roster, else what the rule makes of the HR id', () => {
    assert.equal(numberOf({ personnelNumber: '0042', hrIds: ['7'] }), '42');
    assert.equal(numberOf({ personnelNumber: 'A-1', hrIds: ['7'] }), 'number-unusable');
    assert.equal(numberOf({ hrIds: ['E-0042'] }), 'number-unusable');
    assert.equal(numberOf({ hrIds: ['E-0042'] }, 'hr-id-digits'), '42');
    assert.equal(numberOf({ hrIds: ['E'] }, 'hr-id-digits'), 'number-unusable');
    assert.equal(numberOf({ hrIds: [], billedHrId: 'E-7' }, 'hr-id-digits'), '7');
    assert.equal(numberOf({ hrIds: [], exportedNumber: '5', billedHrId: 'E-7' }, 'hr-id-digits'), '5');
    assert.equal(numberOf({ hrIds: [] }), 'number-missing');
  });

  it('is refused for both of two employees whose HR ids have the same digits', () => {
    const items = [anItem(1, { hrIds: ['E-7'] }), anItem(2, { hrIds: ['F-007'] }), anItem(3, { hrIds: ['8'] })];
    const { problems } = planExport(items, { ...rules, personnelNumberRule: 'hr-id-digits' });
    assert.deepEqual(
      problems.map(({ code, employeeId, hrId }) => [code, employeeId, hrId]),
      [
        ['number-shared', 1, '7'],
        ['number-shared', 2, '7'],
      ],
    );
  });
});

describe('a personnel number', () => {
  it('of DATEV is a number from 1 to 99999, and of a CSV file any HR id', () => {
    const table: [hrId: string, datev: string | undefined, csv: string | undefined][] = [
      ['1', '1', '1'],
      ['99999', '99999', '99999'],
      ['00042', '42', '00042'],
      ['0000042', '42', '0000042'],
      ['0', undefined, '0'],
      ['100000', undefined, '100000'],
      ['E-1001', undefined, 'E-1001'],
      ['-5', undefined, '-5'],
      ['1.5', undefined, '1.5'],
      ['١٢', undefined, '١٢'],
      ['12 ', undefined, '12 '],
      ['', undefined, undefined],
    ];
    for (const [hrId, datev, csv] of table) {
      const expected = { csv, 'datev-lodas': datev, 'datev-lug': datev };
      for (const system of payrollSystems) assert.equal(toPersonnelNumber(system, hrId), expected[system], hrId);
    }
  });
});

describe('the plan of an export', () => {
  it('has one line per employee and wage type, by number', () => {
    const { lines, problems } = planExport([anItem(10), anItem(9), anItem(2, { employeeShareCents: 0 })], rules);
    assert.deepEqual(problems, []);
    assert.deepEqual(describeLines(lines), [
      '2 tax-free 5746',
      '9 tax-free 3746',
      '9 deduction 2000',
      '10 tax-free 3746',
      '10 deduction 2000',
    ]);
    assert.deepEqual(sumKinds(lines), { 'tax-free': 5746 + 2 * 3746, 'flat-tax': 0, deduction: 4000 });
  });

  it('sorts numbers with letters as people do', () => {
    const hrIds = ['a10', 'B1', 'A2', '10', '9', 'E-100', 'E-20', 'a2'];
    const items = hrIds.map((hrId, index) => anItem(index + 1, { hrIds: [hrId], employeeShareCents: 0 }));
    const { lines } = planExport(items, { ...rules, payrollSystem: 'csv' });
    const sorted = ['9', '10', 'A2', 'a2', 'a10', 'B1', 'E-20', 'E-100'];
    assert.deepEqual(
      lines.map(({ personnelNumber }) => personnelNumber),
      sorted,
    );
  });

  it('has no line for amounts that cancel each other out', () => {
    const charge = anItem(1);
    const correction = anItem(2, { ...charge, id: 2, grossCents: -5985, employeeShareCents: -2000 });
    const { lines, items } = planExport([charge, correction], rules);
    assert.deepEqual([lines, items.length], [[], 2]);
  });

  it('takes back what was exported, whatever the settings are now', () => {
    const exported = { taxTreatment: 'flat-tax', benefitCents: 3985, deductionCents: 2000 } as const;
    const correction = anItem(1, { grossCents: -5985, employeeShareCents: -2000, counterpart: exported });
    const { lines } = planExport([correction], rules);
    assert.deepEqual(describeLines(lines), ['1 flat-tax -3985', '1 deduction -2000']);
  });

  it('takes the first HR id that the system accepts', () => {
    const { lines } = planExport([anItem(1, { hrIds: ['E-1', '0077', '88'], employeeShareCents: 0 })], rules);
    assert.deepEqual(describeLines(lines), ['77 tax-free 5746']);
  });

  it('names everybody who cannot be exported, once', () => {
    const { problems } = planExport(
      [
        anItem(1, { hrIds: [] }),
        anItem(2, { hrIds: ['E-2'] }),
        anItem(3, { employeeId: 2, name: 'Employee 2', hrIds: ['E-2'] }),
        anItem(4, { hrIds: ['44'] }),
        anItem(5, { hrIds: ['044'] }),
        anItem(6, { employeeId: null, name: null, hrIds: ['44'] }),
        anItem(7),
      ],
      rules,
    );
    assert.deepEqual(problems, [
      { code: 'number-missing', employeeId: 1, name: 'Employee 1', hrId: null },
      { code: 'number-unusable', employeeId: 2, name: 'Employee 2', hrId: 'E-2' },
      { code: 'number-shared', employeeId: 4, name: 'Employee 4', hrId: '44' },
      { code: 'number-shared', employeeId: 5, name: 'Employee 5', hrId: '44' },
    ]);
  });

  it('taxes the benefit as the policy of its month says, else as the company does', () => {
    const version = {
      ...({
        from: Temporal.PlainDate.from('2026-12-01'),
        planType: 'fully-subsidized-plan',
        waitingMonths: 0,
      } as const),
      ...{ employeeCents: null, employerCents: null, employerPercent: null, minimumCents: null, maximumCents: null },
    };
    const flat = { ...version, taxTreatment: 'flat-tax' } as const;
    const policies = [{ id: 7, name: 'Trainees', isDefault: false, groups: ['Trainee'], versions: [flat] }];
    const kindsOf = (fields: Partial<PayrollItem>, benefit: PayrollRules['taxTreatment']) =>
      planExport([anItem(1, fields)], { ...rules, policies, taxTreatment: benefit }).lines.map(({ kind }) => kind);
    const december = { month: '2026-12-01' };
    assert.deepEqual(kindsOf({ ...december, group: 'trainee' }, 'tax-free'), ['flat-tax', 'deduction']);
    assert.deepEqual(kindsOf({ ...december, policyId: 7 }, 'tax-free'), ['flat-tax', 'deduction']);
    assert.deepEqual(kindsOf({ group: 'trainee' }, 'tax-free'), ['tax-free', 'deduction']);
    assert.deepEqual(kindsOf(december, 'tax-free'), ['tax-free', 'deduction']);
    assert.deepEqual(kindsOf(december, 'flat-tax'), ['flat-tax', 'deduction']);
    const counterpart = { taxTreatment: 'tax-free', benefitCents: 3746, deductionCents: 2000 } as const;
    assert.deepEqual(kindsOf({ ...december, policyId: 7, counterpart }, 'flat-tax'), ['tax-free', 'deduction']);
  });

  it('knows which settings are missing for its lines', () => {
    const none = {
      ...{ payrollConsultant: null, payrollClient: null },
      ...{ wageTypeTaxFree: null, wageTypeFlatTax: null, wageTypeDeduction: null },
    };
    const { lines } = planExport([anItem(1)], rules);
    const lodas = ['payrollConsultant', 'payrollClient'];
    assert.deepEqual(listMissingSettings(lines, { ...none, ...rules }), [
      ...lodas,
      'wageTypeTaxFree',
      'wageTypeDeduction',
    ]);
    assert.deepEqual(listMissingSettings([], { ...none, ...rules, payrollSystem: 'csv', taxTreatment: 'flat-tax' }), [
      'wageTypeFlatTax',
    ]);
    const set = { ...none, ...rules, payrollSystem: 'datev-lug', wageTypeTaxFree: 700 } as const;
    assert.deepEqual(listMissingSettings(lines, set), ['wageTypeDeduction']);
    assert.deepEqual(listMissingSettings(lines, { ...set, wageTypeDeduction: 9100 }), []);
  });
});

describe('all exports together', () => {
  /** A charge, a correction of a charge, a change of the settings, or an export of everything that is due. */
  const step = fc.oneof(
    fc.record({
      do: fc.constant('charge' as const),
      employee: fc.integer({ min: 1, max: 4 }),
      share: fc.constantFrom(0, 2000, 5985),
    }),
    fc.record({ do: fc.constant('correct' as const), pick: fc.nat() }),
    fc.record({ do: fc.constant('settings' as const), treatment: fc.constantFrom('tax-free', 'flat-tax') }),
    fc.record({ do: fc.constant('export' as const), isPartial: fc.boolean() }),
  );

  it('add up to the items, whatever the order of charges, corrections, settings and exports', () => {
    let exports = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
        const charges: (PayrollItem & { isCorrected?: boolean })[] = [];
        const waiting: { item: PayrollItem; corrects?: number }[] = [];
        const done = new Map<number, PlannedItem>();
        const correctionOf = new Map<number, number>();
        const booked = new Map<string, number>();
        let current = rules;
        let id = 0;
        const runExport = (isPartial: boolean) => {
          // A partial export leaves the oldest item to a later one, as that of another period would.
          const due = isPartial && waiting.length > 1 ? waiting.splice(1) : waiting.splice(0);
          const items = due.map(({ item, corrects }) => ({
            ...item,
            counterpart: done.get(corrects ?? correctionOf.get(item.id) ?? 0) ?? null,
          }));
          const plan = planExport(items, current);
          if (plan.lines.length === 0) {
            waiting.push(...due);
            return;
          }
          exports++;
          for (const item of plan.items) {
            assert.ok(!done.has(item.id), 'no item is exported twice');
            done.set(item.id, item);
          }
          for (const { personnelNumber, kind, cents } of plan.lines) {
            const key = `${personnelNumber} ${kind === 'deduction' ? kind : 'benefit'}`;
            booked.set(key, (booked.get(key) ?? 0) + cents);
          }
        };
        for (const one of steps) {
          if (one.do === 'charge') {
            const item = anItem(++id, {
              ...{ employeeId: one.employee, hrIds: [String(one.employee)], employeeShareCents: one.share },
            });
            charges.push(item);
            waiting.push({ item });
          } else if (one.do === 'correct') {
            const open = charges.filter(({ isCorrected }) => !isCorrected);
            const charge = open[one.pick % (open.length || 1)];
            if (charge === undefined) continue;
            charge.isCorrected = true;
            const { grossCents, employeeShareCents } = charge;
            const reversed = { grossCents: 0 - grossCents, employeeShareCents: 0 - employeeShareCents };
            waiting.push({ item: { ...charge, id: ++id, ...reversed }, corrects: charge.id });
            correctionOf.set(charge.id, id);
          } else if (one.do === 'settings') {
            current = { ...current, taxTreatment: one.treatment as 'tax-free' };
          } else runExport(one.isPartial);
        }
        runExport(false);
        const expected = new Map<string, number>();
        for (const charge of charges.filter(({ isCorrected }) => !isCorrected)) {
          const { benefitCents, deductionCents } = splitTicket(charge, rules);
          for (const [kind, cents] of [
            ['benefit', benefitCents],
            ['deduction', deductionCents],
          ] as const) {
            const key = `${charge.employeeId} ${kind}`;
            expected.set(key, (expected.get(key) ?? 0) + cents);
          }
        }
        for (const key of new Set([...booked.keys(), ...expected.keys()])) {
          assert.equal(booked.get(key) ?? 0, expected.get(key) ?? 0, key);
        }
      }),
      { numRuns: runsOf(1000) },
    );
    assert.ok(exports > runsOf(1000), 'many are exported');
  });
});
