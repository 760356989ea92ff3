import type { IntegrationStatus, IntegrationType, OnboardingStatus } from '../../domain/enums.ts';
import type { CommandContext } from '../../platform/cli/define.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { assertCompany, changeCompany, withEngine } from '../command-context.ts';
import { deleteHrIntegration, type Remaining } from './delete.ts';
import { findHrIntegration, insertHrIntegration, renameHrIntegration, updateHrIntegration } from './store.ts';

const noIntegration = (company: CompanyId, id: number) =>
  new OperatorError(`Company ${company} has no integration ${id}: check the id and --company.`);

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
      throw noIntegration(company, id);
    }
    return { id, ...change };
  });
}

export const renameIntegration = (
  { id, company, name }: { id: number; company: CompanyId; name: string },
  { config }: CommandContext,
) =>
  changeCompany(config, company, async (tx, now) => {
    if (!(await renameHrIntegration(tx, company, { id, name }, { at: now }))) throw noIntegration(company, id);
    return { id, name };
  });

export const deleteIntegration = (
  { id, company, employees }: { id: number; company: CompanyId; employees: Remaining },
  { config }: CommandContext,
) =>
  withEngine(config, ({ db, clock, queue, notices }) =>
    writeCompany(db, company, async (tx) => {
      if ((await findHrIntegration(tx, company, id)) === undefined) throw noIntegration(company, id);
      const target = { companyId: company, hrIntegrationId: id };
      const deps = { clock, queue, notices };
      return { id, ...(await deleteHrIntegration(tx, deps, target, { remaining: employees, by: {} })) };
    }),
  );
