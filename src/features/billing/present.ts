import type { FeeType, FeeUnit } from '../../domain/enums.ts';
import { presentTimestamp, type View } from '../../platform/http/view.ts';
import type { BillingItem, ExplainedItem } from './contract.ts';
import { findCorrectionMessage } from './rules/correction-reasons.ts';
import type { BillingItemRow } from './store.ts';

/** Returns the employee as billed. For a removed employee, returns only the id in the HR system. */
function presentEmployee(row: BillingItemRow): BillingItem['charge']['employee'] {
  if (row.charge_type !== 'ticket-charge') return null;
  const { hr_id: hrId, employee_exists: exists } = row;
  const profile = exists
    ? { id: row.employee_id, firstName: row.first_name, lastName: row.last_name, email: row.email, hrId }
    : { id: null, firstName: null, lastName: null, email: null, hrId };
  return { profile, exists };
}

const presentPlan = (row: BillingItemRow, view: View): BillingItem['charge']['plan'] =>
  row.plan_type === null
    ? null
    : {
        type: row.plan_type,
        companyAmount: view.money(row.company_share_cents ?? 0),
        employeeAmount: view.money(row.employee_share_cents ?? 0),
      };

const presentCorrected = (row: BillingItemRow): BillingItem['corrects'] =>
  row.corrects_id === null ? null : { id: row.corrects_id, period: row.corrects_period };

const unitOf: Record<FeeType, FeeUnit> = {
  'service-charge': 'ticket',
  'hr-integration-charge': 'linked-employee',
  'hr-payroll-integration-charge': 'month-with-payroll-export',
  'api-charge': 'month-with-api-calls',
};

const presentUsage = ({
  charge_type: chargeType,
  quantity,
  used_period: period,
}: BillingItemRow): BillingItem['usage'] =>
  chargeType === 'ticket-charge' || quantity === null || period === null
    ? null
    : { quantity, unit: unitOf[chargeType], period };

export const presentBillingItem = (row: BillingItemRow, view: View): BillingItem => ({
  id: row.id,
  billing: {
    period: row.period,
    total: view.money(row.net_cents),
    tax: view.money(row.tax_cents),
    overall: view.money(row.gross_cents),
  },
  charge: { type: row.charge_type, employee: presentEmployee(row), plan: presentPlan(row, view) },
  billedAt: presentTimestamp(row.billed_at),
  corrects: presentCorrected(row),
  reason: row.reason,
  usage: presentUsage(row),
  resource: 'billing-item',
  _links: {
    self: view.links.billingItem(row.id),
    ...(row.hr_integration_id !== null && row.hr_integration_name !== null
      ? { hrIntegration: view.links.hrIntegration(row.hr_integration_id) }
      : {}),
    ...(row.employee_exists && row.employee_id !== null ? { employee: view.links.employee(row.employee_id) } : {}),
  },
});

/** Returns a charge for pages in any language. */
export const presentExplainedItem = (row: BillingItemRow, view: View): ExplainedItem => ({
  ...presentBillingItem(row, view),
  hrIntegration: row.hr_integration_name,
  message: findCorrectionMessage(row.reason),
});
