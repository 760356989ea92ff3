import { integrationStatuses, integrationTypes, onboardingStatuses } from '../domain/enums.ts';
import { insertHrIntegration, updateHrIntegration } from '../hr-integrations/queries.ts';
import { OperatorError } from '../operator-error.ts';
import { assertCompany, type Command, inTransaction } from './command.ts';

export const integrationCreate: Command = {
  usage: 'integration create --company ID --name N --type api-integration|hr-integration',
  run: (args, config) => {
    const companyId = args.companyId();
    const settings = { name: args.text('name'), type: args.word('type', integrationTypes) };
    return inTransaction(config, async (tx, now) => {
      await assertCompany(tx, companyId);
      return { id: await insertHrIntegration(tx, companyId, settings, { at: now }) };
    });
  },
};

export const integrationSet: Command = {
  usage: 'integration set ID --company ID [--status STATUS] [--onboarding STATUS]',
  run: (args, config) => {
    const companyId = args.companyId();
    const id = args.positional('The id of the integration');
    if (!/^\d{1,15}$/.test(id)) throw new OperatorError(`The id of the integration must be a number, but is "${id}".`);
    const status = args.optionalWord('status', integrationStatuses);
    const onboarding = args.optionalWord('onboarding', onboardingStatuses);
    if (!status && !onboarding) throw new OperatorError('Nothing to set: give --status, --onboarding or both.');
    return inTransaction(config, async (tx, now) => {
      const change = { ...(status ? { status } : {}), ...(onboarding ? { onboarding } : {}) };
      if (!(await updateHrIntegration(tx, companyId, Number(id), change, { at: now }))) {
        throw new OperatorError(`Company ${companyId} has no integration ${id}.`);
      }
      return { id: Number(id), ...change };
    });
  },
};
