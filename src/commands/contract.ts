import { operator } from '../audit.ts';
import { applyDecision } from '../daily-run/apply-decision.ts';
import { OperatorError } from '../operator-error.ts';
import { assertCompany, type Command, withEngine } from './command.ts';

const decisions = { accepted: 'contract-accepted', rejected: 'contract-rejected' } as const;

export const contractDecide: Command = {
  usage: 'contract decide --company ID --employee ID --decision accepted|rejected',
  run: (args, config) => {
    const companyId = args.companyId();
    const employeeId = args.id('employee');
    const decision = args.word('decision', ['accepted', 'rejected']);
    return withEngine(config, async ({ db, ...deps }) => {
      await assertCompany(db, companyId);
      const outcome = await db
        .transaction()
        .execute((tx) => applyDecision(tx, deps, companyId, employeeId, decisions[decision], operator));
      if (outcome.kind === 'unknown-employee') {
        throw new OperatorError(`Company ${companyId} has no employee ${employeeId}.`);
      }
      if (outcome.kind === 'refused') throw new OperatorError(outcome.refusal.sentence);
      const { status, startOn, cancelledOn, contractStatus } = outcome.plan.employee.subscription;
      return { status, contractSigningStatus: contractStatus, startAt: startOn, cancelledAt: cancelledOn };
    });
  },
};
