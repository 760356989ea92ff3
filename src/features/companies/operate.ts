import type { PlanType } from '../../domain/enums.ts';
import type { CommandContext } from '../../platform/cli/define.ts';
import { inTransaction } from '../command-context.ts';
import { listAllSettings } from './change-settings.ts';
import { insertCompany } from './companies.ts';

/** Only the operator creates companies and sees all of them, so nothing here belongs to one company. */

interface CreateOptions {
  name: string;
  plan: PlanType | undefined;
  employeeContribution: number | undefined;
}

export const createCompany = (
  { name, plan: planType = 'fully-subsidized-plan', employeeContribution: contributionCents = 0 }: CreateOptions,
  { config }: CommandContext,
) =>
  inTransaction(config, async (tx, now) => ({
    id: await insertCompany(tx, { name, planType, contributionCents }, now),
  }));

export const listAllCompanies = (_options: unknown, { config }: CommandContext) =>
  inTransaction(config, listAllSettings);
