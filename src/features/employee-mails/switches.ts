import { sql } from 'kysely';
import type { EmployeeMailKind, Language } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { mailLanguageOf } from '../notices/texts.ts';
import { optionalMailKinds, switchedTogether } from './rules/kinds.ts';

export interface MailSwitch {
  kind: EmployeeMailKind;
  isOn: boolean;
}

/** Returns the optional mails of an employee that the company sends, and whether they want each. */
export async function readMailSwitches(db: Db | Tx, companyId: CompanyId, employeeId: number): Promise<MailSwitch[]> {
  const found = await db
    .selectFrom('employees as e')
    .innerJoin('companies as c', 'c.id', 'e.company_id')
    .select(['e.switched_off_mails as own', 'c.switched_off_mails as ofCompany'])
    .where(ofCompany(companyId, 'e'))
    .where('e.id', '=', employeeId)
    .executeTakeFirst();
  if (found === undefined) return [];
  return optionalMailKinds
    .filter((kind) => !found.ofCompany.includes(kind))
    .map((kind) => ({ kind, isOn: !found.own.includes(kind) }));
}

/** Switches optional mails of an employee on or off. What is switched off is not sent any more, even if it waits. */
export async function changeMailSwitches(
  tx: Tx,
  companyId: CompanyId,
  employeeId: number,
  switches: readonly MailSwitch[],
): Promise<void> {
  for (const { kind, isOn } of switches) {
    const kinds = switchedTogether(kind).filter((one) => optionalMailKinds.includes(one));
    const others = sql`array(select k from unnest(e.switched_off_mails) k where k <> all(${kinds}::text[]) order by k)`;
    await sql`update employees e set switched_off_mails = ${isOn ? others : sql`${others} || ${kinds}::text[]`}
      where ${ofCompany(companyId, 'e')} and e.id = ${employeeId}`.execute(tx);
  }
}

/** Returns the language of an employee's mails and page: their own choice, or that of the company. */
export async function readEmployeeLanguage(
  db: Db | Tx,
  companyId: CompanyId,
  employeeId: number,
): Promise<{ language: Language; isChosen: boolean }> {
  const found = await db
    .selectFrom('employees as e')
    .innerJoin('companies as c', 'c.id', 'e.company_id')
    .select(['e.language', 'c.locale'])
    .where(ofCompany(companyId, 'e'))
    .where('e.id', '=', employeeId)
    .executeTakeFirst();
  const isChosen = (found?.language ?? null) !== null;
  return {
    language: (found?.language as Language | null) ?? mailLanguageOf({ locale: found?.locale ?? 'de' }),
    isChosen,
  };
}

/** Null: that of the company again. */
export async function changeEmployeeLanguage(
  tx: Tx,
  companyId: CompanyId,
  employeeId: number,
  language: Language | null,
): Promise<void> {
  await sql`update employees e set language = ${language}
    where ${ofCompany(companyId, 'e')} and e.id = ${employeeId}`.execute(tx);
}
