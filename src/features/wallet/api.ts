import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Language } from '../../domain/enums.ts';
import { isTestIn } from '../../domain/test-mark.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import { parseToken } from '../../platform/crypto/company-token.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { operation } from '../../platform/http/operation.ts';
import { findReaderLanguage } from '../../platform/http/reader-language.ts';
import type { Routes } from '../context.ts';
import { pageHeaders, renderMissingPage, renderTicketPage, type WalletKind } from './page.ts';
import { presentPass } from './present.ts';
import { findTicketByToken, type TicketRow } from './store.ts';
import { createTicketSigner } from './ticket-code.ts';
import type { Wallets } from './wallets.ts';

const PassParams = Type.Object({
  pass: Type.String({
    description: 'The end of a link in `ticket.links` of an employee. Anyone who knows it can download the pass.',
    examples: ['1.Vb8T0l8Hn2qkqk1dYJqGx3m5rU0c6bq3Wn9tYzKQeLs'],
  }),
});

const noPass = () =>
  new ApiError(
    'not-found',
    'There is no pass at this URL, or its ticket is no longer valid. Read the current link from `ticket.links` of the employee.',
  );

const html = { schema: { type: 'string' } };

const wantsPage = ({ headers }: FastifyRequest) => headers.accept?.includes('text/html') ?? false;

interface WalletRoute {
  id: string;
  summary: string;
  description: string;
  responses: Record<number, unknown>;
}

const passOperation = (spec: WalletRoute) => {
  const options = operation({
    ...spec,
    tag: 'Wallet',
    params: PassParams,
    limit: 'wallet',
    problems: ['not-found'],
  });
  // People see a page instead of the problem.
  const { 404: missing } = options.schema.response as unknown as Record<number, { content: Record<string, unknown> }>;
  if (missing) missing.content['text/html'] = html;
  return options;
};

export const walletRoutes: Routes<{ wallets: Wallets }> = (app, context) => {
  const { config, db, clock, links, wallets, sessionSecret } = context;
  const isTest = isTestIn(config.environment);
  const signer = createTicketSigner(sessionSecret, isTest);
  const present = (row: TicketRow, language?: Language) => presentPass(row, { signer, isTest }, language);

  /** Shows people what they can do about a link without a valid ticket. Throws for programs. */
  function sendMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (!wantsPage(request)) throw noPass();
    const language = findReaderLanguage(request.headers['accept-language']) ?? 'en';
    return reply.code(404).headers(pageHeaders).send(renderMissingPage(language));
  }

  /** Sends the ticket by `send`, or as a page if this service has no credentials for the wallet. */
  const handlerOf =
    (wallet: WalletKind, send: ((row: TicketRow, reply: FastifyReply) => Promise<FastifyReply>) | undefined) =>
    async (request: FastifyRequest<{ Params: { pass: string } }>, reply: FastifyReply): Promise<FastifyReply> => {
      const token = parseToken(request.params.pass);
      const row = token && (await findTicketByToken(db, token));
      if (token === undefined || row === undefined || row.valid_until < todayIn(clock, row.time_zone).toString())
        return sendMissing(request, reply);
      if (send !== undefined) return send(row, reply);
      const pass = present(row, findReaderLanguage(request.headers['accept-language']));
      const kind = wallet === 'apple' ? 'google' : 'apple';
      const other =
        wallets[kind] && ({ wallet: kind, url: links.walletPass(kind, token.companyId, token.secret) } as const);
      return reply.headers(pageHeaders).send(await renderTicketPage({ pass, wallet, other }));
    };

  const { apple, google } = wallets;
  app.get(
    '/wallet/apple/:pass',
    passOperation({
      id: 'getApplePass',
      summary: 'Get pass for Apple Wallet',
      description:
        'The ticket as a signed pass. An iPhone that opens it offers to add it to Apple Wallet. If the operator has not set up Apple Wallet, a page with the QR code of the ticket, in the language of `Accept-Language`. A browser gets a page instead of the problem for a link without a valid ticket. Needs no key, because the URL itself is secret.',
      responses: {
        200: {
          description: 'The pass, or a page with the ticket.',
          headers: {
            'content-disposition': { type: 'string', description: 'A safe file name for saving the pass.' },
          },
          content: {
            'application/vnd.apple.pkpass': { schema: { type: 'string', format: 'binary' } },
            'text/html': html,
          },
        },
      },
    }),
    handlerOf(
      'apple',
      apple &&
        (async (row, reply) => {
          const pass = present(row);
          const file = await apple.makePass(pass);
          reply.headers({
            'content-type': 'application/vnd.apple.pkpass',
            'content-length': file.length,
            'content-disposition': contentDisposition(`deutschlandticket-${pass.period}.pkpass`),
          });
          return reply.send(file);
        }),
    ),
  );

  app.get(
    '/wallet/google/:pass',
    passOperation({
      id: 'getGooglePass',
      summary: 'Get pass for Google Wallet',
      description:
        'Redirects to Google, where the holder saves the ticket to Google Wallet. If the operator has not set up Google Wallet, returns a page with the QR code of the ticket, in the language of `Accept-Language`. A browser gets a page instead of the problem for a link without a valid ticket. Needs no key: the address itself is secret.',
      responses: {
        200: { description: 'A page with the ticket.', content: { 'text/html': html } },
        302: {
          description: 'Redirect to Google.',
          headers: { location: { type: 'string', description: 'Google address that contains the signed pass.' } },
          type: 'null',
        },
      },
    }),
    handlerOf('google', google && (async (row, reply) => reply.redirect(await google.makeLink(present(row)), 302))),
  );
};
