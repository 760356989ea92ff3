import { viewFor } from '../../platform/http/view.ts';
import { insertAudits } from '../activity/record.ts';
import { listProposals } from '../billing/list-proposals.ts';
import { keepCharges } from '../billing/proposals.ts';
import { portalRoutes } from '../portal-route.ts';
import { CorrectionsBody, CorrectionsSchema, KeepBody, maxCorrectionsBytes, ProposalsSchema } from './contract.ts';
import { correctCharges, presentCorrections, previewCorrections, readSelection } from './correct.ts';

export const correctionRoutes = portalRoutes((route, context) => {
  const { db, links } = context;

  route('GET /billing/corrections/proposals', {
    summary: 'List the charges that should be corrected',
    description: 'For tickets of months for which a termination or an absence became known too late. Newest first.',
    access: 'read',
    data: ProposalsSchema,
    handle: ({ companyId, user }) => listProposals(db, companyId, viewFor(user, links)),
  });

  route('POST /billing/corrections/preview', {
    summary: 'Preview corrections',
    description: 'Changes nothing.',
    access: 'corrections',
    body: CorrectionsBody,
    options: { bodyLimit: maxCorrectionsBytes },
    data: CorrectionsSchema,
    problems: ['not-found'],
    async handle({ companyId, user, body: { reason, ...selected } }) {
      const reversal = { companyId, selection: readSelection(selected), reason };
      return presentCorrections(await previewCorrections(db, context, reversal), viewFor(user, links));
    },
  });

  route('POST /billing/corrections', {
    summary: 'Correct charges',
    access: 'corrections',
    body: CorrectionsBody,
    options: { bodyLimit: maxCorrectionsBytes },
    data: CorrectionsSchema,
    problems: ['not-found'],
    async handle({ companyId, user, by: { actor }, write, body: { reason, ...selected } }) {
      const reversal = { companyId, selection: readSelection(selected), reason, actor };
      return presentCorrections(await write((tx) => correctCharges(tx, context, reversal)), viewFor(user, links));
    },
  });

  route('POST /billing/corrections/kept', {
    summary: 'Keep charges that should be corrected',
    description: 'Their tickets were used. They are proposed no more.',
    access: 'corrections',
    body: KeepBody,
    handle: ({ companyId, by: { actor, at }, write, body: { items } }) =>
      write(async (tx) => {
        const kept = await keepCharges(tx, companyId, { items, now: at });
        const entries = kept.map((id) => ({ actor, action: 'billing.keep', target: String(id), at }));
        await insertAudits(tx, companyId, entries);
      }),
  });
});
