import { Type } from 'typebox';
import { chargeTypes } from '../domain/enums.ts';
import type { BillingItem } from '../features/billing/contract.ts';
import { listTotalsOfMonth } from '../features/billing/totals.ts';
import { Enum, Nullable } from '../platform/http/schemas.ts';
import { requireData } from './call-api.ts';
import { defineTool, withQuery } from './tool.ts';

const mostListed = 20;
const Text = Nullable(Type.String());

const summarize = ({ id, billing, charge, reason }: BillingItem) => ({
  id,
  type: charge.type,
  hrId: charge.employee?.profile.hrId ?? null,
  firstName: charge.employee?.profile.firstName ?? null,
  lastName: charge.employee?.profile.lastName ?? null,
  gross: billing.overall.label,
  companyShare: charge.plan?.companyAmount.label ?? null,
  employeeShare: charge.plan?.employeeAmount.label ?? null,
  reason,
});

const Totals = { netCents: Type.Integer(), taxCents: Type.Integer(), grossCents: Type.Integer() };

export const chargesOfMonth = defineTool({
  name: 'charges_of_month',
  title: 'Charges of a month',
  description:
    'Adds up the charges of one month by type: how many there are, net, tax and gross in cents of the currency of the company. Also lists the first 20. Corrections of earlier months are included and have a reason.',
  permissions: ['view-billing'],
  input: Type.Object({
    month: Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'YYYY-MM' }),
    chargeType: Type.Optional(Enum(chargeTypes, { description: 'Only this type.' })),
  }),
  output: Type.Object({
    month: Type.String(),
    totals: Type.Array(Type.Object({ type: Enum(chargeTypes), count: Type.Integer(), ...Totals })),
    ...Totals,
    first: Type.Array(
      Type.Object({
        ...{ id: Type.Integer(), type: Enum(chargeTypes), hrId: Text, firstName: Text, lastName: Text },
        ...{ gross: Type.String(), companyShare: Text, employeeShare: Text, reason: Text },
      }),
    ),
  }),
  freeText: ['/first/*/hrId', '/first/*/firstName', '/first/*/lastName', '/first/*/reason'],
  async run({ month, chargeType }, { call, db, companyId }) {
    const period = `${month}-01`;
    // First, because it checks the permission.
    const page = await requireData<{ data: BillingItem[] }>(
      call(withQuery('/billing/items', { period, chargeType, perPage: mostListed })),
    );
    const all = await listTotalsOfMonth(db, companyId, period);
    const totals = all.filter(({ type }) => chargeType === undefined || type === chargeType);
    const sum = (name: keyof typeof Totals) => totals.reduce((total, one) => total + one[name], 0);
    const sums = { netCents: sum('netCents'), taxCents: sum('taxCents'), grossCents: sum('grossCents') };
    return { month, totals, ...sums, first: page.data.map(summarize) };
  },
});
