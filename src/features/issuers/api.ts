import { sql } from 'kysely';
import { Type } from 'typebox';
import { parseToken } from '../../platform/crypto/company-token.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { parseForeignJson } from '../../platform/http/json-limits.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Routes } from '../context.ts';
import { isSignedDelivery } from '../webhooks/sign.ts';
import { secretNameOf } from './providers/issuer.ts';
import { findIssuerRow } from './store.ts';

const maxBytes = 16 * 1024;

const CallbackParams = Type.Object({ callback: Type.String({ description: 'The end of the URL of the callbacks.' }) });

/** The same for an unknown URL and a wrong signature: nobody learns which URLs exist. */
const noCallback = () =>
  new ApiError('not-found', 'There is no callback at this URL, or its signature is invalid. Check both.');

function readOrderId(body: Buffer): string | undefined {
  try {
    const { orderId } = parseForeignJson(new Uint8Array(body)) as { orderId?: unknown };
    return typeof orderId === 'string' ? orderId : undefined;
  } catch {
    return undefined;
  }
}

/** A signed hint of an issuer that an order has changed. It carries nothing into the service: the order is fetched. */
export const issuerRoutes: Routes = (app, { db, clock, queue, encryption }) => {
  void app.register(async (routes) => {
    // The signature is that of the bytes.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const options = operation({
      id: 'receiveIssuerCallback',
      tag: 'Issuers',
      summary: 'Receive callback of issuer',
      description: 'For issuers of tickets. docs/issuers/openapi.json describes it.',
      params: CallbackParams,
      limit: 'wallet',
      problems: ['not-found'],
      responses: { 204: { description: 'The order will be fetched.', type: 'null' } },
    });
    routes.post<{ Params: { callback: string } }>(
      '/issuer-callbacks/:callback',
      { ...options, schema: { ...options.schema, hide: true }, bodyLimit: maxBytes },
      async (request, reply) => {
        const token = parseToken(request.params.callback);
        const row = token && (await findIssuerRow(db, token.companyId));
        if (token === undefined || !row?.encryptedCallbackSecret || row.callbackToken !== token.secret)
          throw noCallback();
        const { companyId } = token;
        const secret = encryption.decrypt(row.encryptedCallbackSecret, secretNameOf(companyId));
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        if (!isSignedDelivery(request.headers, { body, secret, now: Date.now() })) throw noCallback();
        const orderId = readOrderId(body);
        if (orderId !== undefined) {
          await writeCompany(db, companyId, async (tx) => {
            const { numAffectedRows = 0n } = await sql`
              update ticket_orders o set next_attempt_at = ${clock.now().toString()}::timestamptz
              where ${ofCompany(companyId, 'o')} and o.order_id = ${orderId} and o.state = 'ordered'`.execute(tx);
            if (numAffectedRows > 0n) await queue.enqueueOrders(tx, companyId);
          });
        }
        return reply.code(204).send();
      },
    );
  });
};
