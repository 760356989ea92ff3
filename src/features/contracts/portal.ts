import { chunksOf } from '../../domain/chunks.ts';
import { planDecisionFor } from '../../domain/employee.ts';
import type { ContractDecision } from '../../domain/enums.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { extendTimeout } from '../../platform/http/extend-timeout.ts';
import { loadEffectPrices } from '../billing/prices.ts';
import { createEffectSum } from '../billing/rules/effects.ts';
import { getCompany } from '../companies/companies.ts';
import type { AppContext } from '../context.ts';
import { loadEmployees } from '../employees/load.ts';
import { portalRoutes } from '../portal-route.ts';
import { readConsent } from '../subscriptions/apply-decision.ts';
import { BatchSchema } from '../subscriptions/batches/contract.ts';
import { insertBatch } from '../subscriptions/batches/run.ts';
import { showBatch } from '../subscriptions/batches/show.ts';
import { listAgreements } from './agreements.ts';
import {
  AgreementsPageSchema,
  AgreementsQuery,
  type ContractsPreview,
  ContractsPreviewSchema,
  DecideContractsBody,
  LinksBody,
  PreviewDecisionsBody,
  type Selection,
  SigningLinksSchema,
} from './contract.ts';
import { selectIds } from './select.ts';
import { sendLinks } from './send-links.ts';

const employeesAtOnce = 500;
/** Plans the decision for each employee as the job will, and returns those that it applies to. Writes nothing. */
async function planDecisions(
  tx: Tx,
  { clock }: Pick<AppContext, 'clock'>,
  companyId: CompanyId,
  { decision, ids }: { decision: ContractDecision; ids: number[] },
): Promise<{ preview: ContractsPreview; applicable: number[] }> {
  const company = await getCompany(tx, companyId);
  const today = todayIn(clock, company.timeZone);
  const refusals = new Map<string, number>();
  const applicable: number[] = [];
  const sum = createEffectSum(await loadEffectPrices(tx, companyId, { today }));
  for (const some of chunksOf(ids, employeesAtOnce)) {
    const employees = await loadEmployees(tx, companyId, some, today);
    for (const id of some) {
      const employee = employees.get(id);
      if (employee === undefined || employee.isRemoved) continue;
      const { refusal, ...plan } = planDecisionFor(employee, decision, today, company);
      const isDecided = employee.subscription.contractStatus !== 'pending';
      const code = refusal?.code ?? (isDecided ? 'already-decided' : undefined);
      if (code !== undefined) refusals.set(code, (refusals.get(code) ?? 0) + 1);
      else {
        applicable.push(id);
        sum.add([{ plan }]);
      }
    }
  }
  const listed = [...refusals].map(([code, employees]) => ({ code, employees }));
  return {
    preview: { employees: ids.length, applicable: applicable.length, effects: sum.total(), refusals: listed },
    applicable,
  };
}

export const contractRoutes = portalRoutes((route, { db, clock, queue, mail }) => {
  const plan = (companyId: CompanyId, { decision, ...selection }: Selection & { decision: ContractDecision }) =>
    inSnapshot(db, async (tx) => {
      const ids = await selectIds(tx, companyId, selection);
      return planDecisions(tx, { clock }, companyId, { decision, ids });
    });

  route('POST /contracts/decisions/preview', {
    summary: 'Preview a decision about the contracts of many employees',
    description: 'Changes nothing.',
    access: 'decisions',
    body: PreviewDecisionsBody,
    data: ContractsPreviewSchema,
    async handle({ reply, companyId, body }) {
      extendTimeout(reply);
      return (await plan(companyId, body)).preview;
    },
  });

  route('POST /contracts/decisions', {
    summary: 'Decide about the contracts of many employees',
    description: 'A job applies the decision. Employees whose contract has been decided are left out.',
    access: 'decisions',
    body: DecideContractsBody,
    status: 202,
    data: BatchSchema,
    problems: ['confirmation-mismatch', 'not-found'],
    async handle({ reply, user, body, by, write }) {
      const { companyId, company, name: recordedBy } = user;
      const { confirm, consent: given, ...wanted } = body;
      const consent = readConsent(given, todayIn(clock, company.timeZone));
      extendTimeout(reply);
      const { applicable } = await plan(companyId, wanted);
      if (applicable.length !== confirm) {
        const detail = `The decision applies to ${applicable.length} employees now, not to ${confirm}.`;
        throw new ApiError('confirmation-mismatch', detail);
      }
      const how = { actor: by.actor, consent, recordedBy };
      const batch = { action: body.decision, employeeIds: applicable, ...how };
      const id = await write((tx) => insertBatch(tx, { clock, queue }, companyId, batch));
      return showBatch({ db, clock }, { companyId, timeZone: company.timeZone }, id);
    },
  });

  route('POST /contracts/links', {
    summary: 'Create links by which employees sign for themselves',
    description:
      'Sends them by mail, or lists them if no mail server is configured. A new link replaces the last one. Creates up to `limit` links, and says how many employees remain.',
    access: 'decisions',
    body: LinksBody,
    data: SigningLinksSchema,
    handle: (call) => sendLinks(call, { mail, company: call.user.company, template: 'signing-link' }, call.body),
  });

  route('POST /contracts/reminders', {
    summary: 'Remind employees of their open link',
    description:
      'Reminds the selected employees whose link is open, each at most once per day. The mail opens the link that they have, which keeps working. Without a mail server, lists the reminders like new links.',
    access: 'decisions',
    body: LinksBody,
    data: SigningLinksSchema,
    handle: (call) => sendLinks(call, { mail, company: call.user.company, template: 'signing-reminder' }, call.body),
  });

  route('GET /agreements', {
    summary: 'List agreements',
    description: 'One per employee whose plan needs an agreement, with what became of it.',
    access: 'decisions',
    query: AgreementsQuery,
    returns: AgreementsPageSchema,
    handle: ({ companyId, query }) => inSnapshot(db, (tx) => listAgreements(tx, companyId, query)),
  });
});
