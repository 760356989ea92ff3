import { Type } from 'typebox';
import type { Permission } from '../../domain/enums.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../platform/http/view.ts';
import { listUserNames } from '../activity/actor-names.ts';
import { portalRoutes } from '../portal-route.ts';
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
import {
  createKey,
  decideOnKey,
  listKeys,
  noActiveKey,
  ownKey,
  renameKey,
  revokeNamedKey,
  rotatePassword,
} from './keys.ts';
import { findUsage } from './usage.ts';

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

export const keyRoutes = portalRoutes((route, { db }) => {
  route('GET /keys', {
    summary: 'List API keys',
    access: 'read',
    data: Type.Array(ApiKeySchema),
    async handle({ companyId }) {
      const rows = await listKeys(db, companyId);
      return rows.map((row) => presentKey(companyId, row));
    },
  });

  route('POST /keys', {
    summary: 'Create an API key',
    description: 'Permissions that the roles of the user may not grant wait until an admin approves them.',
    access: 'keys',
    stepUp: true,
    body: NewKeyBody,
    status: 201,
    data: NewSecretSchema,
    async handle(call) {
      const { expiresAt, ...input } = call.body;
      const expires = expiresAt === null ? undefined : Temporal.Instant.from(expiresAt);
      return createKey(call, { ...input, expiresAt: expires });
    },
  });

  route('GET /keys/:username', {
    summary: 'Get an API key and its usage',
    access: 'read',
    params: KeyParams,
    data: KeyDetailsSchema,
    problems: ['not-found'],
    async handle({ companyId, user, params }) {
      const { keyId } = ownKey(companyId, params.username);
      const row = (await listKeys(db, companyId)).find(({ id }) => id === keyId);
      if (row === undefined) throw noActiveKey();
      const { usage, lastAddress } = await findUsage(db, { companyId, timeZone: user.company.timeZone }, keyId);
      const names = await listUserNames(db, companyId, row.created_by === null ? [] : [row.created_by]);
      const createdBy = row.created_by === null ? null : (names.get(row.created_by) ?? null);
      return { key: presentKey(companyId, row), createdBy, lastAddress, usage };
    },
  });

  route('POST /keys/:username', {
    summary: 'Change the name and the permissions of an API key',
    description: 'New permissions that the roles of the user may not grant wait until an admin approves them.',
    access: 'keys',
    stepUp: true,
    params: KeyParams,
    body: KeyBody,
    problems: ['not-found'],
    handle: (call) => renameKey(call, call.params.username, call.body),
  });

  route('POST /keys/:username/rotate', {
    summary: 'Give an API key a new password',
    description: 'Not of a key that may do more than the user could grant, unless they know its password already.',
    access: 'keys',
    stepUp: true,
    params: KeyParams,
    body: RotateKeyBody,
    data: NewSecretSchema,
    problems: ['not-found'],
    async handle(call) {
      const overlapEnds = Temporal.Now.instant().add({ hours: call.body.overlapHours });
      return rotatePassword(call, { ...call.params, overlapEnds });
    },
  });

  for (const decision of ['approve', 'reject'] as const) {
    const isApproved = decision === 'approve';
    route(`POST /keys/:username/${decision}`, {
      summary: isApproved ? 'Approve the permissions of an API key' : 'Reject the permissions of an API key',
      ...(isApproved ? {} : { description: 'The key keeps what it has. Without any permission, it is revoked.' }),
      access: 'key-approvals',
      stepUp: true,
      params: KeyParams,
      body: KeyDecisionBody,
      problems: ['not-found'],
      handle: (call) => decideOnKey(call, call.params.username, { wanted: call.body.permissions, isApproved }),
    });
  }

  route('POST /keys/:username/revoke', {
    summary: 'Revoke an API key',
    access: 'keys',
    params: KeyParams,
    problems: ['not-found'],
    handle: (call) => revokeNamedKey(call, call.params),
  });
});
