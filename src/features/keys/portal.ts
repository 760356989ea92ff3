import { Type } from 'typebox';
import type { Permission } from '../../domain/enums.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf } from '../../platform/http/schemas.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../platform/http/view.ts';
import { contextOf, userOf } from '../accounts/guard.ts';
import { listUserNames } from '../activity/actor-names.ts';
import type { Routes } from '../context.ts';
import { findUsage } from '../requests/usage.ts';
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
import { usernameOf } from './credentials.ts';
import { listKeys, noActiveKey, ownKey } from './keys.ts';
import { createKey, decideOnKey, renameKey, revokeNamedKey, rotatePassword } from './manage-keys.ts';

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

export const keyRoutes: Routes = (app, context) => {
  const { db } = context;

  app.get(
    '/keys',
    portalOperation({
      summary: 'List API keys',
      description: 'Newest first.',
      access: 'read',
      response: { 200: DataOf(Type.Array(ApiKeySchema)) },
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
      summary: 'Create an API key',
      description: 'Permissions that the roles of the user may not grant wait until an admin approves them.',
      access: 'keys',
      stepUp: true,
      body: NewKeyBody,
      response: { 201: DataOf(NewSecretSchema) },
    }),
    async (request) => {
      const { expiresAt, ...input } = request.body;
      const expires = expiresAt === null ? undefined : Temporal.Instant.from(expiresAt);
      const data = await createKey(contextOf(request, context, 'keys'), { ...input, expiresAt: expires });
      return { data };
    },
  );

  app.get(
    '/keys/:username',
    portalOperation({
      summary: 'Get an API key and its usage',
      access: 'read',
      params: KeyParams,
      response: { 200: DataOf(KeyDetailsSchema) },
      problems: ['not-found'],
    }),
    async (request) => {
      const { companyId, company } = userOf(request);
      const { keyId } = ownKey(companyId, request.params.username);
      const row = (await listKeys(db, companyId)).find(({ id }) => id === keyId);
      if (row === undefined) throw noActiveKey();
      const { usage, lastAddress } = await findUsage(db, { companyId, timeZone: company.timeZone }, keyId);
      const names = await listUserNames(db, companyId, row.created_by === null ? [] : [row.created_by]);
      const createdBy = row.created_by === null ? null : (names.get(row.created_by) ?? null);
      return { data: { key: presentKey(companyId, row), createdBy, lastAddress, usage } };
    },
  );

  app.post(
    '/keys/:username',
    portalOperation({
      summary: 'Change the name and the permissions of an API key',
      description: 'New permissions that the roles of the user may not grant wait until an admin approves them.',
      access: 'keys',
      stepUp: true,
      params: KeyParams,
      body: KeyBody,
      problems: ['not-found'],
    }),
    async (request) => {
      await renameKey(contextOf(request, context, 'keys'), request.params.username, request.body);
    },
  );

  app.post(
    '/keys/:username/rotate',
    portalOperation({
      summary: 'Give an API key a new password',
      description: 'Not of a key that may do more than the user could grant, unless they know its password already.',
      access: 'keys',
      stepUp: true,
      params: KeyParams,
      body: RotateKeyBody,
      response: { 200: DataOf(NewSecretSchema) },
      problems: ['not-found'],
    }),
    async (request) => {
      const overlapEnds = Temporal.Now.instant().add({ hours: request.body.overlapHours });
      return { data: await rotatePassword(contextOf(request, context, 'keys'), { ...request.params, overlapEnds }) };
    },
  );

  for (const decision of ['approve', 'reject'] as const) {
    const isApproved = decision === 'approve';
    app.post(
      `/keys/:username/${decision}`,
      portalOperation({
        summary: isApproved ? 'Approve the permissions of an API key' : 'Reject the permissions of an API key',
        ...(isApproved ? {} : { description: 'The key keeps what it has. Without any permission, it is revoked.' }),
        access: 'key-approvals',
        stepUp: true,
        params: KeyParams,
        body: KeyDecisionBody,
        problems: ['not-found'],
      }),
      async (request) => {
        const decided = { wanted: request.body.permissions, isApproved };
        await decideOnKey(contextOf(request, context, 'key-approvals'), request.params.username, decided);
      },
    );
  }

  app.post(
    '/keys/:username/revoke',
    portalOperation({ summary: 'Revoke an API key', access: 'keys', params: KeyParams, problems: ['not-found'] }),
    async (request) => {
      await revokeNamedKey(contextOf(request, context, 'keys'), request.params);
    },
  );
};
