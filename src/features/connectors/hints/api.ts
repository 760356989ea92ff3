import { Type } from 'typebox';
import { operation } from '../../../platform/http/operation.ts';
import type { Routes } from '../../context.ts';
import { receiveHint } from './receive.ts';

/** What is sent does not matter beyond its signature. Larger webhooks are refused before they are read. */
const maxBytes = 256 * 1024;

const HintParams = Type.Object({
  token: Type.String({ description: 'The end of the address that the portal shows.' }),
});

/** Receives webhooks of HR systems. Each carries nothing into the service: it only makes a pull due. */
export const hintRoutes: Routes = (app, { db, clock, queue, encryption }) => {
  void app.register(async (routes) => {
    // The signature is that of the bytes.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const options = operation({
      id: 'receiveHint',
      tag: 'HR integrations',
      summary: 'Receive a hint of an HR system',
      description: 'For webhooks of HR systems. Every address is answered alike, whether it exists or not.',
      params: HintParams,
      limit: 'hint',
      responses: { 200: { description: 'Received.', type: 'object', additionalProperties: false } },
    });
    routes.post<{ Params: { token: string } }>(
      '/hints/:token',
      { ...options, schema: { ...options.schema, hide: true }, bodyLimit: maxBytes },
      async ({ params, headers, body: given }, reply) => {
        const body = Buffer.isBuffer(given) ? given : Buffer.alloc(0);
        await receiveHint({ db, clock, queue, encryption }, { token: params.token, headers, body });
        // Some HR systems accept no other status than 200.
        return reply.code(200).send({});
      },
    );
  });
};
