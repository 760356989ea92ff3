import { FileOf, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf } from '../../platform/http/schemas.ts';
import type { AppContext, Routes } from '../context.ts';
import { type DocumentStore, openStored } from '../documents/files.ts';
import { startRenderer } from '../documents/pdf/renderer.ts';
import { SignBody, SigningOfferSchema, SigningParams } from './contract.ts';
import { openOffer, type SigningDeps, signContract } from './sign.ts';

/** Serves employees, who have no account. The token in their link is their only credential. */
export const signingRoutes: Routes<AppContext & { documents: DocumentStore }> = (
  app,
  { db, clock, queue, notices, documents },
) => {
  const renderer = startRenderer();
  app.addHook('onClose', () => renderer.stop());
  const deps: SigningDeps = { db, clock, queue, notices, documents, renderer };
  const open = { access: 'public', limit: 'signing', params: SigningParams } as const;

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
      return { data: (await openOffer(deps, request.params.token)).offer };
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
      const { file } = await openOffer(deps, request.params.token);
      const stream = await openStored(documents, { key: file.storeKey, ...file }, request.log);
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
      const { decision, documentSha256 } = request.body;
      await signContract(deps, request.params.token, { decision, sha256: Buffer.from(documentSha256, 'hex') });
      return { data: (await openOffer(deps, request.params.token)).offer };
    },
  );
};
