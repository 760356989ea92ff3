import type { Static } from 'typebox';
import type { Day } from '../../domain/calendar.ts';
import { moneyFormat } from '../../domain/money.ts';
import type { Db } from '../../platform/db/database.ts';
import type { MoneySchema } from '../../platform/http/schemas.ts';
import { loadPrices } from '../billing/prices.ts';
import { priceOn } from '../billing/rules/charges.ts';
import type { Company } from '../companies/companies.ts';
import type { PlannedRecord } from './plan.ts';

/** True if the sync would make an employee count for the fee: each counts once, however many integrations link them. */
const isNewlyLinked = ({ plan, known }: PlannedRecord) =>
  plan !== null &&
  !plan.employee.facts.offboarded &&
  (known === undefined || known.isRemoved || (known.linkId === null && !known.linkedElsewhere));

export interface Effects {
  reactivated: number;
  newFees: { employees: number; perEmployee: Static<typeof MoneySchema>; perMonth: Static<typeof MoneySchema> } | null;
}

/** Returns the net fee per linked employee and month, in cents. */
export async function findLinkFee(db: Db, day: Day): Promise<number> {
  const { fees } = await loadPrices(db);
  return (
    priceOn(
      fees.filter(({ chargeType }) => chargeType === 'hr-integration-charge'),
      day,
    )?.netCents ?? 0
  );
}

/** Counts what the records of a preview mean. */
export function countEffects() {
  let [reactivated, linked] = [0, 0];
  return {
    add(records: readonly PlannedRecord[]): void {
      for (const record of records) {
        if (record.code === 'returned') reactivated += 1;
        if (isNewlyLinked(record)) linked += 1;
      }
    },
    async finish(db: Db, { locale, currency }: Company, today: Day): Promise<Effects> {
      const cents = linked === 0 ? 0 : await findLinkFee(db, today);
      const format = moneyFormat(locale, currency);
      const present = (value: number) => ({ label: format(value), value });
      if (cents === 0) return { reactivated, newFees: null };
      return {
        reactivated,
        newFees: { employees: linked, perEmployee: present(cents), perMonth: present(linked * cents) },
      };
    },
  };
}
