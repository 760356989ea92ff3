import { operator } from '../../domain/actor.ts';
import { isTestIn } from '../../domain/test-mark.ts';
import { writeOutput } from '../../platform/cli/files.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { createLinks } from '../../platform/http/links.ts';
import { viewFor } from '../../platform/http/view.ts';
import { createNoEmployeeError } from '../command-context.ts';
import { getCompany } from '../companies/companies.ts';
import type { EngineContext } from '../context.ts';
import { startRenderer } from '../documents/pdf/renderer.ts';
import { loadEmployees } from '../employees/load.ts';
import { inviteSelected, type ManageContext } from './manage.ts';
import { printInvitations } from './print-letters.ts';

/** Returns the context of the operator. Throws if there is no such employee. */
async function openContext({ db, clock, companyId }: EngineContext, employee: number | undefined) {
  const company = await getCompany(db, companyId);
  if (
    employee !== undefined &&
    !(await loadEmployees(db, companyId, [employee], company.processedThrough)).has(employee)
  )
    throw createNoEmployeeError(companyId, employee);
  const context: ManageContext = {
    ...{ db, companyId, by: { actor: operator, name: 'Operator', at: clock.now() } },
    write: (change) => writeCompany(db, companyId, (tx) => change(tx, ['admin'])),
  };
  return { company, context, selection: employee === undefined ? {} : { employeeIds: [employee] } };
}

/** Invites one employee, or all without a subscription. */
export async function inviteByOperator(
  engine: EngineContext,
  { employee, allWithoutSubscription }: { employee: number | undefined; allWithoutSubscription: boolean },
) {
  if ((employee === undefined) !== allWithoutSubscription)
    throw new OperatorError('Give either --employee or --all-without-subscription.');
  const { config, companyId, employeeMails } = engine;
  const { company, context, selection } = await openContext(engine, employee);
  const view = viewFor({ companyId, company }, createLinks(config.publicUrl));
  return inviteSelected(context, { employeeMails, view }, selection);
}

/** Writes the letters of one employee, or of all without a subscription, to a PDF file. */
export async function printByOperator(
  engine: EngineContext,
  { employee, after, out }: { employee: number | undefined; after: number | undefined; out: string },
) {
  const { config } = engine;
  const { context, selection } = await openContext(engine, employee);
  const renderer = startRenderer(isTestIn(config.environment));
  try {
    const body = { ...selection, ...(after === undefined ? {} : { after }) };
    const { file, ...printed } = await printInvitations(context, { config, renderer }, body);
    if (file !== null) await writeOutput(out, Buffer.from(file, 'base64'));
    return { ...printed, out: file === null ? null : out };
  } finally {
    await renderer.stop();
  }
}
