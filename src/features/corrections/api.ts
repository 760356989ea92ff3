import { Type } from 'typebox';
import { writeCompany } from '../../platform/db/write.ts';
import { type Response, replayedHeader, runOnce } from '../../platform/http/idempotency.ts';
import { operation } from '../../platform/http/operation.ts';
import { DataOf, Reference } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { principalOf } from '../caller.ts';
import type { Routes } from '../context.ts';
import { usernameOf } from '../keys/credentials.ts';
import { CorrectionsBody, CorrectionsSchema, correctionsExample, maxCorrectionsBytes } from './contract.ts';
import { correctCharges, presentCorrections, previewCorrections, type Reversals, readSelection } from './correct.ts';

const body = DataOf(Reference(CorrectionsSchema));
const { items, ...summary } = correctionsExample;
const planned = { ...summary, items: items.map((item) => ({ ...item, correctionId: null })) };

const response = (description: string, value: unknown) => ({
  description,
  headers: replayedHeader,
  content: { 'application/json': { schema: body, examples: { example: { value: { data: value } } } } },
});

export const correctionRoutes: Routes = (app, context) => {
  const { db, links } = context;

  app.post(
    '/billing/corrections',
    {
      ...operation({
        id: 'correctBillingItems',
        tag: 'Billing',
        summary: 'Correct billing items',
        description:
          'Reverses charges: one, several, or those for the tickets of an employee. Each correction is a new billing item in the current month, which names its charge in `corrects`. Charges and billed months never change. The next credit note and the next payroll export contain the difference. A charge is corrected once: repeating a request changes nothing.',
        permissions: ['manage-billing'],
        isIdempotent: true,
        querystring: Type.Object({
          dryRun: Type.Boolean({
            description: '`true` returns what would be corrected, and changes nothing.',
            default: false,
          }),
        }),
        body: CorrectionsBody,
        validatesBody: true,
        responses: {
          200: response(
            'What became of each charge. Nothing was corrected: because of `dryRun=true`, or because everything is already.',
            planned,
          ),
          201: response('Charges were corrected.', correctionsExample),
        },
        problems: [
          'not-found',
          'invalid-body',
          'malformed-body',
          'body-too-large',
          'unsupported-media-type',
          'request-timeout',
        ],
      }),
      bodyLimit: maxCorrectionsBytes,
    },
    async function correctBillingItemsHandler(request, reply) {
      const caller = principalOf(request);
      const { companyId, keyId } = caller;
      const { reason, ...selected } = request.body as CorrectionsBody;
      const { dryRun } = request.query;
      const reversal = { companyId, selection: readSelection(selected), reason };
      const view = viewFor(caller, links);
      const respond = (reversals: Reversals): Response => {
        const data = presentCorrections(reversals, view);
        return { status: dryRun || data.corrected === 0 ? 200 : 201, body: { data } };
      };
      return runOnce(request, reply, { db, links, owner: { companyId, keyId } }, async (keep) => {
        if (dryRun) return respond(await previewCorrections(db, context, reversal));
        return writeCompany(db, companyId, async (tx) => {
          const actor = { type: 'key', name: usernameOf(caller) } as const;
          const done = respond(await correctCharges(tx, context, { ...reversal, actor }));
          await keep(tx, done);
          return done;
        });
      });
    },
  );
};
