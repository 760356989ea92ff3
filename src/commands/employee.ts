import { insertCustomLink } from '../employees/custom-link.ts';
import { listSubscriptionChanges } from '../employees/history.ts';
import { employeeExists } from '../employees/queries.ts';
import { OperatorError } from '../operator-error.ts';
import { type Command, inTransaction } from './command.ts';

const unknown = (companyId: number, employeeId: number) =>
  new OperatorError(`Company ${companyId} has no employee ${employeeId}.`);

export const employeeLink: Command = {
  usage: 'employee link --company ID --employee ID --hr-id X',
  run: (args, config) => {
    const companyId = args.companyId();
    const employeeId = args.id('employee');
    const hrId = args.text('hr-id');
    if (hrId.length > 255) throw new OperatorError('--hr-id may have 255 characters.');
    return inTransaction(config, async (tx, now) => {
      if (!(await employeeExists(tx, companyId, employeeId))) throw unknown(companyId, employeeId);
      const holder = await insertCustomLink(tx, companyId, employeeId, { hrId, now });
      if (holder !== employeeId) {
        throw new OperatorError(`The id "${hrId}" is linked to employee ${holder} already.`);
      }
      return { employeeId, hrId };
    });
  },
};

export const employeeHistory: Command = {
  usage: 'employee history --company ID --employee ID',
  run: (args, config) => {
    const companyId = args.companyId();
    const employeeId = args.id('employee');
    return inTransaction(config, async (tx) => {
      if (!(await employeeExists(tx, companyId, employeeId))) throw unknown(companyId, employeeId);
      return listSubscriptionChanges(tx, companyId, employeeId);
    });
  },
};
