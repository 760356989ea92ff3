import type { FastifyRequest } from 'fastify';
import type { Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, Reference } from '../../platform/http/schemas.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import type { Routes } from '../context.ts';
import { NewPasskeyBody, NewPasskeyOptionsSchema, PasskeyParams, PasskeySchema, PasskeysSchema } from './contract.ts';
import type { Account } from './credentials.ts';
import { endUnprotectedSessions } from './end-sessions.ts';
import { actorOf, sessionOf, userOf } from './guard.ts';
import { queueNotice } from './notices.ts';
import {
  createNewPasskeyOptions,
  deletePasskey,
  insertPasskey,
  listPasskeys,
  maxPasskeys,
  type Passkey,
  takeChallenge,
} from './passkeys.ts';
import { verifyAttestation } from './webauthn.ts';

const present = ({ id, name, is_synced, created_at, last_used_at }: Passkey) => ({
  ...{ id, name, isSynced: is_synced },
  createdAt: presentTimestamp(created_at),
  lastUsedAt: presentOptionalTimestamp(last_used_at),
});

const refused = () =>
  new ApiError(
    'passkey-refused',
    'The passkey could not be added: it was not created in time, or it is known already.',
  );

const accountOf = (request: FastifyRequest): Account => {
  const { id: userId, companyId } = userOf(request);
  return { userId, companyId };
};

/** Adds, lists and removes the passkeys of the signed-in user. */
export const passkeyRoutes: Routes = (app, context) => {
  const { config, db, clock } = context;

  /** Returns the passkeys of the user. Throws if they cannot add another one. */
  async function assertAddable(request: FastifyRequest): Promise<Passkey[]> {
    const passkeys = await listPasskeys(db, accountOf(request));
    if (passkeys.length >= maxPasskeys)
      throw new ApiError('passkey-not-possible', `You have ${maxPasskeys} passkeys. Remove one first.`);
    return passkeys;
  }

  async function record(tx: Tx, request: FastifyRequest, change: 'passkey-added' | 'passkey-removed', name: string) {
    const account = accountOf(request);
    const by = { actor: actorOf(request), at: clock.now() };
    const entry = { action: `second-factor.${change}`, target: account.userId, detail: { name }, ...by };
    await insertAudit(tx, account.companyId, entry);
    await queueNotice(tx, context, account, { template: 'second-factor-changed', values: { change } });
  }

  app.get(
    '/auth/passkeys',
    portalOperation({
      id: 'listPasskeys',
      summary: 'List your passkeys',
      description: 'Those that you have added in this company.',
      access: 'read',
      response: { 200: DataOf(Reference(PasskeysSchema)) },
    }),
    async (request) => {
      const passkeys = await listPasskeys(db, accountOf(request));
      return { data: { passkeys: passkeys.map(present), isFull: passkeys.length >= maxPasskeys } };
    },
  );

  app.post(
    '/auth/passkeys/options',
    portalOperation({
      id: 'beginPasskey',
      summary: 'Begin to add a passkey',
      description: 'Returns what the browser needs to create it, within five minutes.',
      access: 'read',
      stepUp: true,
      response: { 200: DataOf(Reference(NewPasskeyOptionsSchema)) },
      problems: ['passkey-not-possible'],
    }),
    async (request) => {
      const known = await assertAddable(request);
      return { data: await createNewPasskeyOptions({ db, config }, userOf(request), known) };
    },
  );

  app.post(
    '/auth/passkeys',
    portalOperation({
      id: 'addPasskey',
      summary: 'Add a passkey',
      description: 'Ends sessions without a second factor.',
      access: 'read',
      stepUp: true,
      body: NewPasskeyBody,
      response: { 201: DataOf(Reference(PasskeySchema)) },
      problems: ['passkey-refused', 'passkey-not-possible'],
    }),
    async (request, reply) => {
      const { id, companyId } = userOf(request);
      const { passkey } = request.body;
      const name = request.body.name.trim();
      await assertAddable(request);
      const challenge = await takeChallenge(db, `add ${id}`, passkey.clientDataJson);
      const key = challenge === undefined ? undefined : await verifyAttestation(config, challenge, passkey);
      if (key === undefined) throw refused();
      const added = await writeCompany(db, companyId, async (tx) => {
        const row = await insertPasskey(tx, accountOf(request), name, key);
        if (row === undefined) throw refused();
        await record(tx, request, 'passkey-added', name);
        await endUnprotectedSessions(tx, userOf(request), sessionOf(request));
        return row;
      });
      reply.code(201);
      return { data: present(added) };
    },
  );

  app.post(
    '/auth/passkeys/:passkeyId/remove',
    portalOperation({
      id: 'removePasskey',
      summary: 'Remove one of your passkeys',
      access: 'read',
      stepUp: true,
      params: PasskeyParams,
      response: { 204: NoContent },
      problems: ['not-found'],
    }),
    async (request, reply) => {
      await writeCompany(db, userOf(request).companyId, async (tx) => {
        const name = await deletePasskey(tx, accountOf(request), request.params.passkeyId);
        if (name === undefined) throw notFound('passkey');
        await record(tx, request, 'passkey-removed', name);
      });
      return reply.code(204).send();
    },
  );
};
