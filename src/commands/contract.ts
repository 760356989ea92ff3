import { operator } from '../audit.ts';
import { applyDecision } from '../daily-run/apply-decision.ts';
import type { CompanyId } from '../db/company-scope.ts';
import { writeCompany } from '../db/write.ts';
import { OperatorError } from '../operator-error.ts';
import { assertCompany, createNoEmployeeError, withEngine } from './context.ts';
import type { CommandContext } from './define.ts';

const decisions = { accepted: 'contract-accepted', rejected: 'contract-rejected' } as const;

interface DecideOptions {
  company: CompanyId;
  employee: number;
  decision: keyof typeof decisions;
}

export const decideContract = (
  { company: companyId, employee: employeeId, decision }: DecideOptions,
  { config }: CommandContext,
) =>
  withEngine(config, async ({ db, ...deps }) => {
    await assertCompany(db, companyId);
    const outcome = await writeCompany(db, companyId, (tx) =>
      applyDecision(tx, deps, companyId, { employeeId, decision: decisions[decision], actor: operator }),
    );
    if (outcome.kind === 'unknown-employee') {
      throw createNoEmployeeError(companyId, employeeId);
    }
    if (outcome.kind === 'refused') throw new OperatorError(outcome.refusal.sentence);
    const { status, startOn, cancelledOn, contractStatus } = outcome.plan.employee.subscription;
    return { status, contractSigningStatus: contractStatus, startAt: startOn, cancelledAt: cancelledOn };
  });
