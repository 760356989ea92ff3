import type { ChargeType } from '../../../../src/domain/enums.ts';
import type { BillingPeriod } from '../../../../src/features/billing/contract.ts';

/** Colours that are easy to distinguish on light and on dark pages. */
export const chargeColours: Record<ChargeType, string> = {
  'ticket-charge': 'rail-6',
  'service-charge': 'indigo-5',
  'hr-integration-charge': 'orange-5',
  'hr-payroll-integration-charge': 'grape-5',
  'api-charge': 'gray-5',
};

/** Ticket charges come first, in tables and at the bottom of stacked bars, because they are most of every bill. */
export const chargeOrder = Object.keys(chargeColours) as ChargeType[];

/** Returns the types of charges that some month has. */
export const occurring = (periods: readonly BillingPeriod[]) =>
  chargeOrder.filter((type) => periods.some(({ types }) => types.some(({ chargeType }) => chargeType === type)));
