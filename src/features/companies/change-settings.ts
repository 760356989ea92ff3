import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { ApiError, describeError, notFound } from '../../platform/http/errors.ts';
import { type By, insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { announceAccessChange, lockCompany } from './companies.ts';
import { type CompanySettings, CompanySettingsSchema } from './contract.ts';
import { findWrongSetting, listChanges, normalizeSetting, type SettingChange } from './rules/settings.ts';

/** Every setting is a column of the same name in snake case. */
const columnOf = (setting: string) => setting.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const columns = sql.join(
  Object.keys(CompanySettingsSchema.properties).map((name) => sql`${sql.ref(columnOf(name))} as ${sql.ref(name)}`),
);

/** Returns the settings of a company, or undefined if there is no such company. */
export async function findSettings(db: Db | Tx, companyId: CompanyId): Promise<CompanySettings | undefined> {
  const { rows } = await sql<CompanySettings>`select ${columns} from companies where id = ${companyId}`.execute(db);
  return rows[0];
}

/** Returns every company of the environment with its settings, for the operator. */
export async function listAllSettings(db: Db | Tx): Promise<({ id: number } & CompanySettings)[]> {
  const { rows } = await sql<{ id: number } & CompanySettings>`
    select id, ${columns} from companies order by id`.execute(db);
  return rows;
}

/** Keeps the default policy in step with the settings from this month on, if it has versions. Without any it says what they say. */
async function updateDefaultPolicy(tx: Tx, companyId: CompanyId, settings: CompanySettings, at: Temporal.Instant) {
  const { planType, contributionCents, timeZone } = settings;
  const from = at.toZonedDateTimeISO(timeZone).toPlainDate().with({ day: 1 }).toString();
  await sql`
    insert into policy_versions (company_id, policy_id, from_on, plan_type, employee_cents)
    select p.company_id, p.id, ${from}::date, ${planType}::text,
      case when ${planType}::text = 'split-pay-plan' then ${contributionCents}::integer end
    from policies p where ${ofCompany(companyId, 'p')} and p.is_default and exists (
      select from policy_versions v where ${ofCompany(companyId, 'v')} and v.policy_id = p.id)
    on conflict (company_id, policy_id, from_on) do update set plan_type = excluded.plan_type,
      employee_cents = excluded.employee_cents, employer_cents = null, employer_percent = null, minimum_cents = null,
      maximum_cents = null`.execute(tx);
}

/**
 * Changes settings that have been validated, with one audit entry per changed setting. Returns the changes, or
 * undefined if there is no such company. Locks the company, so that no plan uses the old settings meanwhile.
 */
export async function updateSettings(
  tx: Tx,
  companyId: CompanyId,
  wanted: Partial<CompanySettings>,
  by: By & { at: Temporal.Instant },
): Promise<SettingChange[] | undefined> {
  await lockCompany(tx, companyId);
  const current = await findSettings(tx, companyId);
  if (current === undefined) return undefined;
  const changes = listChanges(current, wanted);
  if (changes.length === 0) return changes;
  const values = Object.fromEntries(changes.map(({ setting, to }) => [columnOf(setting), to]));
  await tx
    .updateTable('companies')
    .set({ ...values, updated_at: by.at.toString() })
    .where('id', '=', companyId)
    .execute();
  if (changes.some(({ setting }) => setting === 'planType' || setting === 'contributionCents')) {
    await updateDefaultPolicy(tx, companyId, { ...current, ...wanted }, by.at);
  }
  await announceAccessChange(tx, companyId);
  for (const detail of changes) {
    await insertAudit(tx, companyId, { action: 'company.change-setting', target: detail.setting, detail, ...by });
  }
  return changes;
}

export async function showSettings({ db, companyId }: Pick<CompanyContext, 'db' | 'companyId'>) {
  const settings = await findSettings(db, companyId);
  if (settings === undefined) throw notFound('company');
  return { id: companyId, ...settings };
}

/** Changes the given settings. Throws if one breaks a rule that no schema can express, such as which locales exist. */
export async function changeSettings({ companyId, by, write }: CompanyContext, given: Partial<CompanySettings>) {
  const wanted = Object.entries(given).map(([name, value]) => {
    const setting = name as keyof CompanySettings;
    return [setting, normalizeSetting(setting, value)] as const;
  });
  const errors = wanted.flatMap(([setting, value]) => {
    const message = findWrongSetting(setting, value);
    return message === undefined ? [] : [describeError({ pointer: `/${setting}` }, 'invalid', message)];
  });
  if (errors.length > 0) {
    const detail = errors.map((error) => `${error.pointer} ${error.detail}`).join('; ');
    throw new ApiError('invalid-body', `${detail}.`, { errors });
  }
  const changes = await write((tx) => updateSettings(tx, companyId, Object.fromEntries(wanted), by));
  if (changes === undefined) throw notFound('company');
  return { id: companyId, changes };
}
