import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { chargeTicket, hasDiscount } from '../features/billing/rules/charges.ts';
import { type Policy, type PolicyVersion, planAt, policyOn, type Terms } from './policies.ts';

const month = (text: string) => Temporal.PlainDate.from(`${text}-01`);
const none = {
  employeeCents: null,
  employerCents: null,
  employerPercent: null,
  minimumCents: null,
  maximumCents: null,
};
const split = (amounts: Partial<Terms>): Terms => ({
  ...{ planType: 'split-pay-plan', ...none, waitingMonths: 0, taxTreatment: null },
  ...amounts,
});
const price = (listCents: number) => ({
  validFrom: month('2026-01'),
  ...{ listCents, taxPercent: 7, discountPercent: 5, discountSharePercent: 25 },
});

describe('the split of a price', () => {
  const cases: [string, Terms, number, [company: number, employee: number]][] = [
    ['the amount of the employee stays', split({ employeeCents: 2000 }), 6300, [3985, 2000]],
    ['the amount of the employer, with the discount', split({ employerCents: 4000 }), 6300, [4000, 1985]],
    ['the amount of the employer, below a quarter', split({ employerCents: 1500 }), 6300, [1500, 4800]],
    ['half of the price that is charged', split({ employerPercent: 50 }), 6300, [2993, 2992]],
    ['a percentage with a minimum', split({ employerPercent: 10, minimumCents: 2000 }), 6300, [2000, 3985]],
    ['a percentage with a maximum', split({ employerPercent: 80, maximumCents: 3000 }), 6300, [3000, 2985]],
    ['the employer pays at most all of it', split({ employerCents: 9000 }), 6300, [5985, 0]],
    ['nothing', split({ employerPercent: 0 }), 6300, [0, 6300]],
  ];
  for (const [name, terms, listCents, expected] of cases) {
    it(name, () => {
      const { companyShareCents, employeeShareCents } = chargeTicket(price(listCents), planAt(terms, price(listCents)));
      assert.deepEqual([companyShareCents, employeeShareCents], expected);
    });
  }

  it('is what the terms say for every price, with the discount exactly if the employer bears a quarter of the list price', () => {
    const amount = fc.nat({ max: 12_000 });
    const terms = fc.oneof(
      amount.map((employerCents) => split({ employerCents })),
      fc
        .tuple(fc.nat({ max: 100 }), fc.option(amount), fc.option(amount))
        .map(([employerPercent, minimumCents, maximumCents]) =>
          split({
            employerPercent,
            minimumCents,
            maximumCents: maximumCents && Math.max(maximumCents, minimumCents ?? 0),
          }),
        ),
    );
    fc.assert(
      fc.property(terms, fc.integer({ min: 1, max: 12_000 }), (given, listCents) => {
        const part = (of: number) => {
          const wanted = given.employerCents ?? Math.floor((of * (given.employerPercent ?? 0) + 50) / 100);
          const most = Math.min(wanted, given.maximumCents ?? Number.POSITIVE_INFINITY);
          return Math.min(of, Math.max(most, given.minimumCents ?? 0));
        };
        const isCheaper = part(listCents) * 4 >= listCents;
        const plan = planAt(given, price(listCents));
        const charge = chargeTicket(price(listCents), plan);
        assert.equal(hasDiscount(price(listCents), plan), isCheaper);
        assert.equal(charge.companyShareCents, part(charge.grossCents));
        assert.equal(charge.companyShareCents + charge.employeeShareCents, charge.grossCents);
      }),
    );
  });
});

describe('the policy that applies', () => {
  const months = ['2026-01', '2026-02', '2026-03', '2026-04'];
  const version = fc
    .constantFrom(...months)
    .map((from): PolicyVersion => ({ from: month(from), ...split({ employeeCents: 1 }) }));
  const versions = fc.uniqueArray(version, { selector: ({ from }) => from.toString(), maxLength: 3 });
  const group = fc.constantFrom('Berlin', 'Trainees', 'München');
  const policies = fc
    .array(fc.record({ versions, groups: fc.uniqueArray(group, { maxLength: 2 }) }), { minLength: 1, maxLength: 5 })
    .map((all) => all.map((one, at): Policy => ({ id: at + 1, name: `P${at}`, isDefault: at === 0, ...one })));

  it('is the one by hand, else the first of the group, else the default, in its newest version', () => {
    const holder = fc.record({ policyId: fc.option(fc.integer({ min: 1, max: 5 })), group: fc.option(group) });
    fc.assert(
      fc.property(policies, holder, fc.constantFrom(...months), (all, who, on) => {
        const begun = all.filter((one) => one.versions.some(({ from }) => from.toString() <= `${on}-01`));
        const [byHand, byGroup, byDefault] = [
          begun.find(({ id }) => id === who.policyId),
          begun.find(({ groups }) => who.group !== null && groups.includes(who.group)),
          begun.find(({ isDefault }) => isDefault),
        ];
        const expected = byHand ?? byGroup ?? byDefault;
        const found = policyOn({ policies: all }, who, month(on));
        assert.equal(found?.policy, expected);
        assert.equal(found?.reason, found && (byHand ? 'by-hand' : byGroup ? 'by-group' : 'default'));
        const dates = expected?.versions.map(({ from }) => from.toString()).filter((from) => from <= `${on}-01`);
        assert.equal(found?.version.from.toString(), dates?.sort().at(-1));
      }),
    );
  });

  it('compares groups without case and surrounding spaces', () => {
    const policy: Policy = {
      ...{ id: 7, name: 'Site', isDefault: false, groups: ['münchen '] },
      versions: [{ from: month('2026-01'), ...split({ employeeCents: 0 }) }],
    };
    const found = policyOn({ policies: [policy] }, { policyId: null, group: ' MÜNCHEN' }, month('2026-01'));
    assert.equal(found?.policy.id, 7);
  });
});
