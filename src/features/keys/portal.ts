import { Type } from 'typebox';
import type { Permission } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { planGrant } from '../../domain/roles.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError, invalidValue } from '../../platform/http/errors.ts';
import { NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, Reference } from '../../platform/http/schemas.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../platform/http/view.ts';
import { actorOf, lockAbility, userOf } from '../accounts/guard.ts';
import { listUserNames } from '../accounts/users/store.ts';
import { updatePushAccess } from '../connectors/push-access.ts';
import type { Routes } from '../context.ts';
import { usageDays } from '../requests/expire.ts';
import { findLastAddress, listUsage } from '../requests/store.ts';
import {
  type ApiKey,
  ApiKeySchema,
  KeyBody,
  KeyDecisionBody,
  KeyDetailsSchema,
  KeyParams,
  NewKeyBody,
  NewSecretSchema,
  RotateKeyBody,
} from './contract.ts';
import { type KeyName, parseUsername, usernameOf } from './credentials.ts';
import { decideOnRequest, insertKey, listKeys, lockKey, revokeKey, rotateKey, updateKey } from './keys.ts';

type KeyRow = Awaited<ReturnType<typeof listKeys>>[number];

/** Keys expire by real time, as the API checks them, even where the environment's clock was moved. */
const isPast = (timestamp: string | null) =>
  timestamp !== null && Temporal.Instant.compare(timestamp, Temporal.Now.instant()) <= 0;

const presentKey = (companyId: CompanyId, row: KeyRow): ApiKey => ({
  username: usernameOf({ companyId, keyId: row.id }),
  name: row.name,
  permissions: row.permissions,
  requestedPermissions: row.requested_permissions as Permission[] | null,
  createdAt: presentTimestamp(row.created_at),
  lastUsedAt: presentOptionalTimestamp(row.last_used_at),
  expiresAt: presentOptionalTimestamp(row.expires_at),
  revokedAt: presentOptionalTimestamp(row.revoked_at),
  previousValidUntil: isPast(row.previous_valid_until) ? null : presentOptionalTimestamp(row.previous_valid_until),
  state: row.revoked_at !== null ? 'revoked' : isPast(row.expires_at) ? 'expired' : 'active',
});

const noActiveKey = () => new ApiError('not-found', 'Your company has no active key with this name.');

/**
 * Parses a username, which contains its company's id. Throws the same error for another company's key as for an unknown
 * one.
 */
function ownKey(companyId: CompanyId, username: string): KeyName {
  const name = parseUsername(username);
  if (name?.companyId !== companyId) throw noActiveKey();
  return name;
}

function futureMoment(text: string | null): Temporal.Instant | undefined {
  if (text === null) return undefined;
  if (!isPast(text)) return Temporal.Instant.from(text);
  throw invalidValue('/expiresAt', 'future', createMessage('value-future'));
}

export const keyRoutes: Routes = (app, { config, db, clock }) => {
  const { environment } = config;

  app.get(
    '/keys',
    portalOperation({
      id: 'listKeys',
      summary: 'List API keys',
      description: 'Newest first.',
      access: 'read',
      response: { 200: DataOf(Type.Array(Reference(ApiKeySchema))) },
    }),
    async (request) => {
      const { companyId } = userOf(request);
      const rows = await listKeys(db, companyId);
      return { data: rows.map((row) => presentKey(companyId, row)) };
    },
  );

  app.post(
    '/keys',
    portalOperation({
      id: 'createKey',
      summary: 'Create an API key',
      description: 'Permissions that the roles of the user may not grant wait until an admin approves them.',
      access: 'keys',
      stepUp: true,
      body: NewKeyBody,
      response: { 201: DataOf(Reference(NewSecretSchema)) },
    }),
    async (request, reply) => {
      const { companyId } = userOf(request);
      const { name, permissions, expiresAt } = request.body;
      const expires = futureMoment(expiresAt);
      const settings = { name: name.trim(), ...(expires ? { expiresAt: expires } : {}) };
      const by = { actor: actorOf(request), at: clock.now() };
      const data = await writeCompany(db, companyId, async (tx) => {
        const held = await lockAbility(tx, request, 'keys');
        const grant = planGrant(held, { wanted: permissions, current: [] });
        const key = await insertKey(tx, companyId, { ...settings, ...grant, environment }, by);
        await updatePushAccess(tx, { companyId }, by.at);
        return { ...key, requestedPermissions: grant.requested };
      });
      reply.code(201);
      return { data };
    },
  );

  app.get(
    '/keys/:username',
    portalOperation({
      id: 'getKey',
      summary: 'Get an API key and its usage',
      access: 'read',
      params: KeyParams,
      response: { 200: DataOf(Reference(KeyDetailsSchema)) },
      problems: ['not-found'],
    }),
    async (request) => {
      const { companyId, company } = userOf(request);
      const { keyId } = ownKey(companyId, request.params.username);
      const row = (await listKeys(db, companyId)).find(({ id }) => id === keyId);
      if (row === undefined) throw noActiveKey();
      const { timeZone } = company;
      // Requests are counted by real time, as keys expire.
      const today = Temporal.Now.plainDateISO(timeZone);
      const first = today.subtract({ days: usageDays - 1 });
      const [counted, lastAddress, names] = await Promise.all([
        listUsage(db, { companyId, timeZone }, keyId, first),
        findLastAddress(db, companyId, keyId),
        listUserNames(db, companyId, row.created_by === null ? [] : [row.created_by]),
      ]);
      const usage = Array.from({ length: usageDays }, (_, index) => {
        const day = first.add({ days: index }).toString();
        return counted.find((one) => one.day === day) ?? { day, requests: 0, clientErrors: 0, serverErrors: 0 };
      });
      const createdBy = row.created_by === null ? null : (names.get(row.created_by) ?? null);
      return { data: { key: presentKey(companyId, row), createdBy, lastAddress, usage } };
    },
  );

  app.post(
    '/keys/:username',
    portalOperation({
      id: 'updateKey',
      summary: 'Change the name and the permissions of an API key',
      description: 'New permissions that the roles of the user may not grant wait until an admin approves them.',
      access: 'keys',
      stepUp: true,
      params: KeyParams,
      body: KeyBody,
      response: { 204: NoContent },
      problems: ['not-found'],
    }),
    async (request, reply) => {
      const key = ownKey(userOf(request).companyId, request.params.username);
      const { name, permissions } = request.body;
      const by = { actor: actorOf(request), at: clock.now() };
      const isKnown = await writeCompany(db, key.companyId, async (tx) => {
        const held = await lockAbility(tx, request, 'keys');
        const current = (await lockKey(tx, key))?.permissions ?? [];
        const grant = planGrant(held, { wanted: permissions, current });
        const isKnown = await updateKey(tx, key, { name: name.trim(), ...grant }, by);
        await updatePushAccess(tx, key, by.at);
        return isKnown;
      });
      if (!isKnown) throw noActiveKey();
      return reply.code(204).send();
    },
  );

  app.post(
    '/keys/:username/rotate',
    portalOperation({
      id: 'rotateKey',
      summary: 'Give an API key a new password',
      description: 'Not of a key that may do more than the user could grant, unless they know its password already.',
      access: 'keys',
      stepUp: true,
      params: KeyParams,
      body: RotateKeyBody,
      response: { 200: DataOf(Reference(NewSecretSchema)) },
      problems: ['not-found'],
    }),
    async (request) => {
      const key = ownKey(userOf(request).companyId, request.params.username);
      const overlapEnds = Temporal.Now.instant().add({ hours: request.body.overlapHours });
      const by = { actor: actorOf(request), at: clock.now() };
      const data = await writeCompany(db, key.companyId, async (tx) => {
        const held = await lockAbility(tx, request, 'keys');
        const current = await lockKey(tx, key);
        const { permissions = [], requested_permissions: requested, secret_shown_to: knownTo } = current ?? {};
        const wanted = [...permissions, ...((requested ?? []) as Permission[])];
        if (knownTo !== userOf(request).id && planGrant(held, { wanted, current: [] }).requested !== null)
          throw new ApiError('missing-role', 'This key may do more than your roles allow. Ask an admin to rotate it.');
        const rotated = await rotateKey(tx, key, { environment, overlapEnds }, by);
        return rotated && { ...rotated, requestedPermissions: (requested ?? null) as Permission[] | null };
      });
      if (data === undefined) throw noActiveKey();
      return { data };
    },
  );

  for (const decision of ['approve', 'reject'] as const) {
    const isApproved = decision === 'approve';
    app.post(
      `/keys/:username/${decision}`,
      portalOperation({
        id: isApproved ? 'approveKey' : 'rejectKey',
        summary: isApproved ? 'Approve the permissions of an API key' : 'Reject the permissions of an API key',
        ...(isApproved ? {} : { description: 'The key keeps what it has. Without any permission, it is revoked.' }),
        access: 'key-approvals',
        stepUp: true,
        params: KeyParams,
        body: KeyDecisionBody,
        response: { 204: NoContent },
        problems: ['not-found'],
      }),
      async (request, reply) => {
        const key = ownKey(userOf(request).companyId, request.params.username);
        const by = { actor: actorOf(request), at: clock.now() };
        const isKnown = await writeCompany(db, key.companyId, async (tx) => {
          await lockAbility(tx, request, 'key-approvals');
          const isKnown = await decideOnRequest(tx, key, { wanted: request.body.permissions, isApproved }, by);
          await updatePushAccess(tx, key, by.at);
          return isKnown;
        });
        if (!isKnown) throw noActiveKey();
        return reply.code(204).send();
      },
    );
  }

  app.post(
    '/keys/:username/revoke',
    portalOperation({
      id: 'revokeKey',
      summary: 'Revoke an API key',
      access: 'keys',
      params: KeyParams,
      response: { 204: NoContent },
      problems: ['not-found'],
    }),
    async (request, reply) => {
      const key = ownKey(userOf(request).companyId, request.params.username);
      const by = { actor: actorOf(request), at: clock.now() };
      const revoked = await writeCompany(db, key.companyId, async (tx) => {
        const isKnown = await revokeKey(tx, key, Temporal.Now.instant(), by);
        await updatePushAccess(tx, key, by.at);
        return isKnown;
      });
      if (!revoked) throw noActiveKey();
      return reply.code(204).send();
    },
  );
};
