import { create as contentDisposition } from 'content-disposition';
import { Type } from 'typebox';
import { todayIn } from '../clock.ts';
import type { Routes } from '../context.ts';
import { ApiError } from '../errors.ts';
import { operation } from '../http/operation.ts';
import { maxInteger } from '../http/schemas.ts';
import { type Pass, presentPass } from './present.ts';
import { findTicketByToken } from './queries.ts';
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

const notConfigured = (wallet: string, settings: string) =>
  new ApiError(
    'wallet-not-configured',
    `This service does not create passes for ${wallet}, because signing is not configured. The operator must set the ${settings} variables described in .env.example.`,
  );

/**
 * Parses company and token, as `walletPass` in src/http/links.ts joins them. Text of any other form belongs to no
 * ticket.
 */
function readPass(text: string): { company: number; token: string } | undefined {
  const [, company, token] = /^([1-9]\d{0,15})\.([\w-]{43})$/.exec(text) ?? [];
  if (company === undefined || token === undefined || Number(company) > maxInteger) return undefined;
  return { company: Number(company), token };
}

export const walletRoutes: Routes<{ wallets: Wallets }> = (app, { db, clock, wallets, sessionSecret }) => {
  const signer = createTicketSigner(sessionSecret);
  async function findPass(text: string): Promise<Pass> {
    const read = readPass(text);
    const row = read && (await findTicketByToken(db, read.company, read.token));
    if (row === undefined || row.valid_until < todayIn(clock, row.time_zone).toString()) throw noPass();
    return presentPass(row, signer);
  }

  app.get(
    '/wallet/apple/:pass',
    operation({
      id: 'getApplePass',
      tag: 'Wallet',
      summary: 'Get pass for Apple Wallet',
      description:
        'The ticket as a signed pass. An iPhone that opens it offers to add it to Apple Wallet. Needs no key, because the URL itself is secret.',
      params: PassParams,
      responses: {
        200: {
          description: 'The pass.',
          headers: {
            'content-length': { type: 'integer', description: 'Size in bytes.' },
            'content-disposition': { type: 'string', description: 'A safe file name for saving.' },
          },
          content: { 'application/vnd.apple.pkpass': { schema: { type: 'string', format: 'binary' } } },
        },
      },
      limit: 'wallet',
      problems: ['not-found', 'wallet-not-configured'],
    }),
    async function getApplePassHandler(request, reply) {
      if (wallets.apple === undefined) throw notConfigured('Apple Wallet', 'APPLE_WALLET_…');
      const pass = await findPass(request.params.pass);
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
    operation({
      id: 'getGooglePass',
      tag: 'Wallet',
      summary: 'Get pass for Google Wallet',
      description:
        'Redirects to Google, where the holder saves the ticket to Google Wallet. Needs no key: the address itself is secret.',
      params: PassParams,
      responses: {
        302: {
          description: 'Redirect to Google.',
          headers: { location: { type: 'string', description: 'Google address that contains the signed pass.' } },
          type: 'null',
        },
      },
      limit: 'wallet',
      problems: ['not-found', 'wallet-not-configured'],
    }),
    async function getGooglePassHandler(request, reply) {
      if (wallets.google === undefined) throw notConfigured('Google Wallet', 'GOOGLE_WALLET_…');
      const pass = await findPass(request.params.pass);
      return reply.redirect(await wallets.google.makeLink(pass), 302);
    },
  );
};
