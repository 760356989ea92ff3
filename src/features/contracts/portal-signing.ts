import { Readable } from 'node:stream';
import { isTestIn } from '../../domain/test-mark.ts';
import { extendTimeout } from '../../platform/http/extend-timeout.ts';
import { FileOf } from '../../platform/http/portal/operation.ts';
import { IdParams } from '../../platform/http/schemas.ts';
import type { Routes } from '../context.ts';
import { type DocumentStore, openStored } from '../documents/files.ts';
import { type Renderer, startRenderer } from '../documents/pdf/renderer.ts';
import { portalRoutes } from '../portal-route.ts';
import { LettersBody, SignBody, SigningLettersSchema, SigningOfferSchema, SigningParams } from './contract.ts';
import { printLetters } from './print-letters.ts';
import { openOffer, previewAgreement, type SigningDeps, signContract } from './sign.ts';

/** Agreements as files. Employees, who have no account, sign by a link: its token is their only credential. */
const signing = portalRoutes<SigningDeps & { documents: DocumentStore; renderer: Pick<Renderer, 'renderLetters'> }>(
  (route, deps) => {
    const open = { access: 'public', limit: 'signing', params: SigningParams } as const;

    route('GET /signing/:token', {
      summary: 'Get the agreement that an employee is to sign',
      ...open,
      data: SigningOfferSchema,
      problems: ['not-found'],
      async handle({ reply, params }) {
        reply.header('cache-control', 'no-store');
        return (await openOffer(deps, params.token)).offer;
      },
    });

    route('GET /signing/:token/agreement', {
      summary: 'Download the agreement',
      ...open,
      returns: FileOf('application/pdf'),
      problems: ['not-found'],
      async handle({ request, reply, params }) {
        const { file } = await openOffer(deps, params.token);
        const stream = await openStored(deps.documents, { key: file.storeKey, ...file }, request.log);
        reply.headers({
          'cache-control': 'no-store',
          'content-type': 'application/pdf',
          'content-length': file.sizeBytes,
          'content-disposition': 'inline; filename="agreement.pdf"',
        });
        return stream;
      },
    });

    route('GET /agreements/:id/preview', {
      summary: 'Read the agreement that an employee is to sign',
      access: 'decisions',
      params: IdParams('employee'),
      returns: FileOf('application/pdf'),
      problems: ['not-found'],
      async handle({ reply, companyId, params }) {
        const file = await previewAgreement(deps, companyId, params.id);
        reply.headers({
          'cache-control': 'no-store',
          'content-type': 'application/pdf',
          'content-length': file.length,
          'content-disposition': 'inline; filename="agreement.pdf"',
        });
        return Readable.from([file]);
      },
    });

    route('POST /contracts/letters', {
      summary: 'Print letters with which employees sign for themselves',
      description:
        'Creates a link per selected employee whose contract is pending, and returns letters that show it as a QR code and as an address to type. A new link replaces the last one. A file has at most 250 letters; the response says how many employees remain.',
      access: 'decisions',
      body: LettersBody,
      data: SigningLettersSchema,
      handle(call) {
        extendTimeout(call.reply);
        call.reply.header('cache-control', 'no-store');
        return printLetters(call, deps, call.body);
      },
    });

    route('POST /signing/:token', {
      summary: 'Accept or reject the agreement',
      description: 'The same decision again has no further effect.',
      ...open,
      body: SignBody,
      data: SigningOfferSchema,
      problems: ['not-found', 'confirmation-mismatch', 'decision-refused'],
      async handle({ params, body: { decision, documentSha256 } }) {
        await signContract(deps, params.token, { decision, sha256: Buffer.from(documentSha256, 'hex') });
        return (await openOffer(deps, params.token)).offer;
      },
    });
  },
);

export const signingRoutes: Routes<{ documents: DocumentStore }> = (app, context) => {
  const renderer = startRenderer(isTestIn(context.config.environment));
  app.addHook('onClose', () => renderer.stop());
  signing(app, { ...context, renderer });
};
