import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { todayIn } from '../../platform/clock/clock.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { operation } from '../../platform/http/operation.ts';
import { findReaderLanguage } from '../../platform/http/reader-language.ts';
import { maxInteger } from '../../platform/http/schemas.ts';
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

/**
 * Parses company and token, as `walletPass` in src/platform/http/links.ts joins them. Text of any other form belongs to no
 * ticket.
 */
function readPass(text: string): { company: number; token: string } | undefined {
  const [, company, token] = /^([1-9]\d{0,15})\.([\w-]{43})$/.exec(text) ?? [];
  if (company === undefined || token === undefined || Number(company) > maxInteger) return undefined;
  return { company: Number(company), token };
}

/** Adds the page that people see instead of the problem. */
function withMissingPage<T extends { schema: { response: object } }>(options: T): T {
  const { 404: missing } = options.schema.response as Record<number, { content: Record<string, unknown> }>;
  if (missing) missing.content['text/html'] = html;
  return options;
}

const wantsPage = ({ headers }: FastifyRequest) => headers.accept?.includes('text/html') ?? false;

export const walletRoutes: Routes<{ wallets: Wallets }> = (app, { db, clock, links, wallets, sessionSecret }) => {
  const signer = createTicketSigner(sessionSecret);

  const findTicket = async (text: string): Promise<TicketRow | undefined> => {
    const read = readPass(text);
    const row = read && (await findTicketByToken(db, read.company, read.token));
    return row && row.valid_until >= todayIn(clock, row.time_zone).toString() ? row : undefined;
  };

  /** Shows people what they can do about a link without a valid ticket. Throws for programs. */
  function sendMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (!wantsPage(request)) throw noPass();
    const language = findReaderLanguage(request.headers['accept-language']) ?? 'en';
    return reply.code(404).headers(pageHeaders).send(renderMissingPage(language));
  }

  /** Shows the ticket itself, because this service has no credentials for the wallet. */
  function sendPage(request: FastifyRequest, reply: FastifyReply, row: TicketRow, wallet: WalletKind): FastifyReply {
    const pass = presentPass(row, signer, findReaderLanguage(request.headers['accept-language']));
    const otherWallet = wallet === 'apple' ? 'google' : 'apple';
    const { company = 0, token = '' } = readPass((request.params as { pass: string }).pass) ?? {};
    const other =
      wallets[otherWallet] && ({ wallet: otherWallet, url: links.walletPass(otherWallet, company, token) } as const);
    return reply.headers(pageHeaders).send(renderTicketPage({ pass, wallet, other }));
  }

  app.get(
    '/wallet/apple/:pass',
    withMissingPage(
      operation({
        id: 'getApplePass',
        tag: 'Wallet',
        summary: 'Get pass for Apple Wallet',
        description:
          'The ticket as a signed pass. An iPhone that opens it offers to add it to Apple Wallet. If the operator has not set up Apple Wallet, a page with the QR code of the ticket, in the language of `Accept-Language`. A browser gets a page instead of the problem for a link without a valid ticket. Needs no key, because the URL itself is secret.',
        params: PassParams,
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
        limit: 'wallet',
        problems: ['not-found'],
      }),
    ),
    async function getApplePassHandler(request, reply) {
      const row = await findTicket(request.params.pass);
      if (row === undefined) return sendMissing(request, reply);
      if (wallets.apple === undefined) return sendPage(request, reply, row, 'apple');
      const pass = presentPass(row, signer);
      const file = await wallets.apple.makePass(pass);
      reply.headers({
        'content-type': 'application/vnd.apple.pkpass',
        'content-length': file.length,
        'content-disposition': contentDisposition(`deutschlandticket-${pass.period}.pkpass`),
      });
      return reply.send(file);
    },
  );

  app.get(
    '/wallet/google/:pass',
    withMissingPage(
      operation({
        id: 'getGooglePass',
        tag: 'Wallet',
        summary: 'Get pass for Google Wallet',
        description:
          'Redirects to Google, where the holder saves the ticket to Google Wallet. If the operator has not set up Google Wallet, returns a page with the QR code of the ticket, in the language of `Accept-Language`. A browser gets a page instead of the problem for a link without a valid ticket. Needs no key: the address itself is secret.',
        params: PassParams,
        responses: {
          200: { description: 'A page with the ticket.', content: { 'text/html': html } },
          302: {
            description: 'Redirect to Google.',
            headers: { location: { type: 'string', description: 'Google address that contains the signed pass.' } },
            type: 'null',
          },
        },
        limit: 'wallet',
        problems: ['not-found'],
      }),
    ),
    async function getGooglePassHandler(request, reply) {
      const row = await findTicket(request.params.pass);
      if (row === undefined) return sendMissing(request, reply);
      if (wallets.google === undefined) return sendPage(request, reply, row, 'google');
      return reply.redirect(await wallets.google.makeLink(presentPass(row, signer)), 302);
    },
  );
};
