import { chargeFor } from '../../../../test/support/domain/prices.ts';
import { contractPlan, runScenarios, steps } from '../../../../test/support/domain/scenario.ts';
import { firstOfMonth } from '../../../domain/calendar.ts';

const euros = (...cents: number[]) => cents.map((amount) => (amount / 100).toFixed(2)).join(' + ');

/** Net, tax, gross, company share and employee share of the month's ticket, computed by hand. */
runScenarios(
  {
    'the price changes at new year': {
      settings: contractPlan,
      steps: steps`
      2025-10-20 | autoSubscribe=true | no ticket
      2025-10-21 | contract-accepted | no ticket
      2025-11-01 | | 51.50 + 3.60 = 55.10 = 35.10 + 20.00
      2025-12-01 | | 51.50 + 3.60 = 55.10 = 35.10 + 20.00
      2026-01-01 | | 55.93 + 3.92 = 59.85 = 39.85 + 20.00
      2026-02-01 | | 55.93 + 3.92 = 59.85 = 39.85 + 20.00
    `,
    },
    'with the new price the company bears more than a quarter, and the ticket costs less than its list price': {
      settings: { planType: 'split-pay-plan', contributionCents: 4500 },
      steps: steps`
      2025-11-20 | autoSubscribe=true | no ticket
      2025-11-21 | contract-accepted | no ticket
      2025-12-01 | | 54.21 + 3.79 = 58.00 = 13.00 + 45.00
      2026-01-01 | | 55.93 + 3.92 = 59.85 = 14.85 + 45.00
    `,
    },
    'parental leave over new year, from the middle of a month to the middle of another': steps`
      2024-09-20 | autoSubscribe=true | no ticket
      2024-10-01 | | 43.50 + 3.05 = 46.55 = 46.55 + 0.00
      2024-10-10 | absences=2024-10-15/2025-02-14 | 43.50 + 3.05 = 46.55 = 46.55 + 0.00
      2024-11-01 | | no ticket
      2024-12-01 | | no ticket
      2025-01-01 | | no ticket
      2025-02-01 | | 51.50 + 3.60 = 55.10 = 55.10 + 0.00
    `,
    'a leaver known after the cut-off, with a deferred plan': {
      settings: { planType: 'deferred-plan' },
      steps: steps`
      2025-10-20 | autoSubscribe=true | no ticket
      2025-10-21 | contract-accepted | no ticket
      2025-11-01 | | 54.21 + 3.79 = 58.00 = 0.00 + 58.00
      2025-11-11 | terminationDate=2025-11-30 | 54.21 + 3.79 = 58.00 = 0.00 + 58.00
      2025-12-01 | | 54.21 + 3.79 = 58.00 = 0.00 + 58.00
      2026-01-01 | | no ticket
    `,
    },
  },
  ({ subscription, today }) => {
    const charge = chargeFor(subscription, firstOfMonth(today));
    if (charge === undefined) return 'no ticket';
    const { netCents, taxCents, grossCents, companyShareCents, employeeShareCents } = charge;
    return [euros(netCents, taxCents), euros(grossCents), euros(companyShareCents, employeeShareCents)].join(' = ');
  },
);
