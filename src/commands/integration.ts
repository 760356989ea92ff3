import type { CompanyId } from '../db/company-scope.ts';
import type { IntegrationStatus, IntegrationType, OnboardingStatus } from '../domain/enums.ts';
import { insertHrIntegration, updateHrIntegration } from '../hr-integrations/queries.ts';
import { OperatorError } from '../operator-error.ts';
import { assertCompany, changeCompany } from './context.ts';
import type { CommandContext } from './define.ts';

interface CreateOptions {
  company: CompanyId;
  name: string;
  type: IntegrationType;
}

export const createIntegration = ({ company, ...settings }: CreateOptions, { config }: CommandContext) =>
  changeCompany(config, company, async (tx, now) => {
    await assertCompany(tx, company);
    return { id: await insertHrIntegration(tx, company, settings, { at: now }) };
  });

interface UpdateOptions {
  id: number;
  company: CompanyId;
  status: IntegrationStatus | undefined;
  onboarding: OnboardingStatus | undefined;
}

export async function updateIntegration(options: UpdateOptions, { config }: CommandContext) {
  const { id, company, status, onboarding } = options;
  if (!status && !onboarding) throw new OperatorError('Nothing to set: give --status, --onboarding or both.');
  return changeCompany(config, company, async (tx, now) => {
    const change = { ...(status ? { status } : {}), ...(onboarding ? { onboarding } : {}) };
    if (!(await updateHrIntegration(tx, company, { id, ...change }, { at: now }))) {
      throw new OperatorError(`Company ${company} has no integration ${id}: check the id and --company.`);
    }
    return { id, ...change };
  });
}
