import { moneyFormat } from '../../domain/money.ts';
import { ApiError, unavailable } from '../../platform/http/errors.ts';
import { FileOf, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf } from '../../platform/http/schemas.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import type { AppContext, Routes } from '../context.ts';
import type { DocumentStore } from '../documents/files.ts';
import { startRenderer } from '../documents/pdf/renderer.ts';
import { SignBody, SigningOfferSchema, SigningParams } from './contract.ts';
import { parseSigningToken } from './links.ts';
import { openOffer, type SigningDeps, type SigningOffer, signContract } from './sign.ts';

const noLink = () =>
  new ApiError(
    'not-found',
    'This link does not exist, has expired or was replaced by a new one. Ask your HR department for a new link.',
  );

/** Serves employees, who have no account. The token in their link is their only credential. */
export const signingRoutes: Routes<AppContext & { documents: DocumentStore }> = (
  app,
  { db, clock, queue, notices, documents },
) => {
  const renderer = startRenderer();
  app.addHook('onClose', () => renderer.stop());
  const deps: SigningDeps = { db, clock, queue, notices, documents, renderer };
  const open = { access: 'public', limit: 'signing', params: SigningParams } as const;

  const present = (offer: SigningOffer) => {
    const { companyName, firstName, lastName, planType, contributionCents, contractStatus, signature, file } = offer;
    const isFixed = planType === 'split-pay-plan' && contributionCents !== null;
    const label = moneyFormat(offer.locale, offer.currency)(contributionCents ?? 0);
    return {
      companyName,
      firstName,
      lastName,
      planType,
      monthlyAmount: isFixed ? { label, value: contributionCents } : null,
      contractStatus,
      signature: signature && {
        decision: signature.decision,
        decidedAt: presentTimestamp(signature.decidedAt),
      },
      documentSha256: file.sha256.toString('hex'),
    };
  };

  async function getOffer(text: string): Promise<SigningOffer> {
    const token = parseSigningToken(text);
    const offer = token && (await openOffer(deps, token));
    if (offer === undefined) throw noLink();
    return offer;
  }

  app.get(
    '/signing/:token',
    portalOperation({
      summary: 'Get the agreement that an employee is to sign',
      ...open,
      response: { 200: DataOf(SigningOfferSchema) },
      problems: ['not-found'],
    }),
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return { data: present(await getOffer(request.params.token)) };
    },
  );

  app.get(
    '/signing/:token/agreement',
    portalOperation({
      summary: 'Download the agreement',
      ...open,
      response: { 200: FileOf('application/pdf') },
      problems: ['not-found'],
    }),
    async (request, reply) => {
      const { file } = await getOffer(request.params.token);
      const stream = await documents.open(file.storeKey, file.sizeBytes).catch((error: unknown) => {
        request.log.error({ err: error }, 'stored file cannot be read');
        throw unavailable('The file cannot be read right now. Try again later.');
      });
      reply.headers({
        'cache-control': 'no-store',
        'content-type': 'application/pdf',
        'content-length': file.sizeBytes,
        'content-disposition': 'inline; filename="agreement.pdf"',
      });
      return reply.send(stream);
    },
  );

  app.post(
    '/signing/:token',
    portalOperation({
      summary: 'Accept or reject the agreement',
      description: 'The same decision again has no further effect.',
      ...open,
      body: SignBody,
      response: { 200: DataOf(SigningOfferSchema) },
      problems: ['not-found', 'confirmation-mismatch', 'decision-refused'],
    }),
    async (request) => {
      const token = parseSigningToken(request.params.token);
      if (token === undefined) throw noLink();
      const { decision, documentSha256 } = request.body;
      const outcome = await signContract(deps, token, { decision, sha256: Buffer.from(documentSha256, 'hex') });
      if (outcome.kind === 'unknown') throw noLink();
      if (outcome.kind === 'refused') throw new ApiError('decision-refused', outcome.sentence);
      if (outcome.kind === 'changed') {
        throw new ApiError('confirmation-mismatch', 'The agreement has changed since you opened it. Read it again.');
      }
      return { data: present(await getOffer(request.params.token)) };
    },
  );
};
