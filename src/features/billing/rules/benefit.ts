import type { TaxTreatment } from '../../../domain/enums.ts';
import { divideHalfUp } from '../../../domain/money.ts';

/**
 * Splits a ticket charge into what payroll books: the benefit in kind that the company grants, and the employee's share
 * that is deducted from net pay. docs/payroll.md names the paragraph of every step.
 */

/** How a company's payroll values and taxes the benefit. */
export interface BenefitRules {
  taxTreatment: TaxTreatment;
  /** The percentage of the price at which the benefit is valued: 100, or 96 (R 8.1 Abs. 2 LStR). */
  benefitValuation: number;
}

/** The amounts of a ticket charge. A correction has negative ones. */
export interface TicketAmounts {
  /** The price of the ticket after discounts, VAT included. */
  grossCents: number;
  employeeShareCents: number;
}

/** What payroll books for one charge or correction. */
export interface PayrollAmounts {
  taxTreatment: TaxTreatment;
  benefitCents: number;
  deductionCents: number;
}

/**
 * Returns the amounts of a charge: the price, valued at the percentage and rounded half up to the cent, less the
 * employee's share, but never below 0, because an employee who pays the value receives no benefit (§ 8 Abs. 2 EStG).
 * The amounts of a correction are exactly those of its charge, negated.
 */
export function splitTicket(amounts: TicketAmounts, rules: BenefitRules): PayrollAmounts {
  const sign = amounts.grossCents < 0 ? -1 : 1;
  const valueCents = divideHalfUp(Math.abs(amounts.grossCents) * rules.benefitValuation, 100);
  const benefitCents = Math.max(0, valueCents - Math.abs(amounts.employeeShareCents));
  return {
    taxTreatment: rules.taxTreatment,
    // Adding 0 turns -0 into 0.
    benefitCents: sign * benefitCents + 0,
    deductionCents: amounts.employeeShareCents,
  };
}

/** Returns the amounts that take back what was booked before. */
export const reverse = ({ taxTreatment, benefitCents, deductionCents }: PayrollAmounts): PayrollAmounts => ({
  taxTreatment,
  benefitCents: 0 - benefitCents,
  deductionCents: 0 - deductionCents,
});

/**
 * Returns the sum for line 17 of the wage-tax certificate (Lohnsteuerbescheinigung): tax-free benefits, which reduce the
 * commuting allowance of the employee (§ 3 Nr. 15 Satz 3 and § 41b Abs. 1 Satz 2 Nr. 6 EStG). Flat-taxed benefits are
 * not part of it.
 */
export const sumLine17 = (amounts: Iterable<PayrollAmounts>): number =>
  [...amounts].reduce(
    (sum, { taxTreatment, benefitCents }) => sum + (taxTreatment === 'tax-free' ? benefitCents : 0),
    0,
  );
