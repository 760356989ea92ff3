import { type Static, Type } from 'typebox';
import { createMessage, formatMessage, type Message } from '../../../domain/messages/message.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import { writeCompany } from '../../../platform/db/write.ts';
import { ApiError, notFound, refuseBody } from '../../../platform/http/errors.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../../platform/http/view.ts';
import type { By } from '../../activity/record.ts';
import type { Company, Integration } from '../../companies/companies.ts';
import { getIntegration } from '../../integrations/change-integration.ts';
import { IntegrationParams } from '../../integrations/contract.ts';
import { targetOf } from '../../integrations/portal.ts';
import { portalRoutes, type UserCall } from '../../portal-route.ts';
import { assertCanSync } from '../../roster/accept.ts';
import { nameRecords } from '../../roster/columns.ts';
import type { RosterPreviewSchema } from '../../roster/contract.ts';
import type { Connector } from '../providers/connector.ts';
import { getConnector } from '../providers/index.ts';
import type { Mapping } from '../rules/mapping.ts';
import { defaultNightlyTime } from '../rules/schedule.ts';
import { templates } from '../templates/index.ts';
import { checkRules } from './check-rules.ts';
import { changeRules, connectIntegration } from './connect.ts';
import { getConnectorRow, getPullingIntegration } from './connected.ts';
import {
  CheckBody,
  ConnectBody,
  ConnectionCheckSchema,
  ConnectionSchema,
  PullBody,
  PullParams,
  PullSchema,
  RulesBody,
  TemplateSchema,
} from './contract.ts';
import {
  type CheckedConnection,
  checkConnection,
  checkCredentials,
  openConnection,
  openNewConnection,
  readConnectorSettings,
} from './open-connection.ts';
import { requestPull } from './schedule.ts';
import { findConnectorRow, findNewestPull, findOpenPull, findPull, type PullRow } from './store.ts';

/** How long the user waits for the HR system at most. */
const maxMillis = 30_000;

function readCredentials(value: unknown, connector: Connector) {
  const credentials = checkCredentials(value, connector);
  if (!Array.isArray(credentials)) return credentials;
  throw refuseBody(credentials.map((message) => ({ pointer: '/credentials', code: 'invalid', message })));
}

async function readMapping(value: unknown, connector: Connector): Promise<Mapping> {
  const mapping = await checkRules(value, connector.defaultMapping);
  if (!Array.isArray(mapping)) return mapping;
  throw refuseBody(
    mapping.map(({ path, message }) => ({
      pointer: `/mapping/${path.replaceAll('.', '/')}`,
      code: 'invalid',
      message,
    })),
  );
}

const presentCheck = ({ problems, description }: CheckedConnection, isStored: boolean) => ({
  isStored,
  problems: problems.map((problem) => ({ ...problem, detail: formatMessage(problem.message) })),
  ...description,
});

/** Whether the HR system let us in, so that the credentials are worth storing. */
const isLetIn = ({ problems }: CheckedConnection) =>
  problems.every(({ code }) => ['permission-missing', 'attribute-withheld', 'no-employees'].includes(code));

type Preview = Static<typeof RosterPreviewSchema>;

/** Returns the stored preview with the names of the employees, who may have changed since. */
async function presentPreview(db: Db, companyId: CompanyId, preview: unknown): Promise<Preview | null> {
  if (preview === null) return null;
  const { syncId: _, ...shown } = preview as Preview & { syncId: string };
  return { ...shown, records: await nameRecords(db, companyId, shown.records) };
}

const presentPull = (row: PullRow, preview: Preview | null = null): Static<typeof PullSchema> => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  syncId: row.sync_id,
  pages: row.pages_read,
  people: row.people_read,
  total: row.people_total,
  reason: row.reason,
  message: row.message as Message | null,
  requestedAt: presentTimestamp(row.requested_at),
  finishedAt: presentOptionalTimestamp(row.finished_at),
  preview,
});

export const connectionRoutes = portalRoutes((route, { config, db, clock, encryption, slots }) => {
  const settings = readConnectorSettings(config, encryption);
  const inSlot = <T>({ companyId, id: name }: UserCall['user'], work: () => Promise<T>) =>
    slots.connectionTests.run({ companyId, name }, work);

  route('GET /connector-templates', {
    summary: 'List the templates for REST APIs',
    description: 'Requests and mappings to begin with.',
    access: 'read',
    data: Type.Array(TemplateSchema),
    handle: async () => templates.map((template) => ({ ...template })),
  });

  route('GET /integrations/:id/connection', {
    summary: 'Get how an integration pulls',
    description: 'Credentials are never returned.',
    access: 'read',
    params: IntegrationParams,
    data: ConnectionSchema,
    async handle(call) {
      const target = targetOf(call);
      await getIntegration(db, target.companyId, target.hrIntegrationId);
      const row = await findConnectorRow(db, target);
      const pull = row && (await findNewestPull(db, target));
      return {
        provider: row?.provider ?? null,
        mapping: row?.mapping ?? null,
        mappingVersion: row?.mapping_version ?? 0,
        nightlyTime: row?.nightly_time ?? defaultNightlyTime,
        every: row?.pull_every ?? 'nightly',
        hints: {
          isOn: Boolean(row?.hint_token_hash),
          isSigned: Boolean(row?.encrypted_hint_secret),
          lastAt: presentOptionalTimestamp(row?.hinted_at ?? null),
        },
        nextPullAt: presentOptionalTimestamp(row?.next_pull_at ?? null),
        failureReason: row?.failure_reason ?? null,
        failureMessage: (row?.failure_message ?? null) as Message | null,
        pull: pull === undefined ? null : presentPull(pull),
      };
    },
  });

  /** Tests new credentials, and stores them if they are usable: an integration that works must not lose its old ones. */
  async function connect(
    target: Integration,
    { company, by, body }: { company: Pick<Company, 'timeZone'>; by: By; body: Static<typeof ConnectBody> },
  ) {
    const integration = await getPullingIntegration(db, target);
    const row = await findConnectorRow(db, target);
    const isSetUp = integration.initial_connection_status !== 'incomplete';
    const { provider } = body;
    if (isSetUp && row !== undefined && row.provider !== provider) {
      const message = createMessage('provider-fixed', { provider: row.provider });
      throw refuseBody([{ pointer: '/provider', code: 'fixed', message }]);
    }
    const connector = getConnector(provider);
    const credentials = readCredentials(body.credentials, connector);
    const known = row?.provider === provider ? row.mapping : connector.defaultMapping;
    const mapping = body.mapping === undefined ? known : await readMapping(body.mapping, connector);
    const signal = AbortSignal.timeout(maxMillis);
    const open = () => openNewConnection(settings, { provider, credentials, company, signal });
    const checked = await checkConnection(open, mapping);
    const isStored = isSetUp ? checked.problems.length === 0 : isLetIn(checked);
    if (isStored) {
      const connection = { connector, credentials, mapping, isReady: isSetUp };
      await writeCompany(db, target.companyId, (tx) =>
        connectIntegration(tx, { target, encryption, now: clock.now(), by }, connection),
      );
    }
    return presentCheck(checked, isStored);
  }

  const change = { access: 'integrations', params: IntegrationParams, problems: ['not-connectable'] } as const;

  route('POST /integrations/:id/connection', {
    ...change,
    summary: 'Connect an integration to the HR system',
    description:
      'Tests the credentials. Stores them if the HR system accepts them; once the set-up is finished, only if nothing is missing.',
    body: ConnectBody,
    data: ConnectionCheckSchema,
    handle: ({ user, by: { actor, at }, body, ...call }) =>
      inSlot(user, () => connect(targetOf(call), { company: user.company, by: { actor, at }, body })),
  });

  route('POST /integrations/:id/connection/check', {
    ...change,
    summary: 'Test the connection to the HR system',
    body: CheckBody,
    data: ConnectionCheckSchema,
    handle: ({ user, body, ...call }) =>
      inSlot(user, async () => {
        const target = targetOf(call);
        const row = await getConnectorRow(db, target);
        const mapping =
          body.mapping === null ? row.mapping : await readMapping(body.mapping, getConnector(row.provider));
        const signal = AbortSignal.timeout(maxMillis);
        const open = () => openConnection(settings, { target, row, company: user.company, signal });
        return presentCheck(await checkConnection(open, mapping), true);
      }),
  });

  route('POST /integrations/:id/connection/rules', {
    ...change,
    summary: 'Change the mapping and the schedule, and finish the set-up',
    body: RulesBody,
    async handle({ by: { actor, at }, body, ...call }) {
      const target = targetOf(call);
      const { provider } = await getConnectorRow(db, target);
      const { nightlyTime, every, finish: isReady } = body;
      const mapping = body.mapping && (await readMapping(body.mapping, getConnector(provider)));
      await writeCompany(db, target.companyId, (tx) =>
        changeRules(tx, { target, now: clock.now(), by: { actor, at } }, { mapping, nightlyTime, every, isReady }),
      );
    },
  });
});

export const pullRoutes = portalRoutes((route, { db, clock, queue }) => {
  route('POST /integrations/:id/pulls', {
    summary: 'Read the roster from the HR system now, or preview it',
    description: 'A worker reads the roster in the background. A pull of the same kind that waits is returned instead.',
    access: 'syncs',
    params: IntegrationParams,
    body: PullBody,
    status: 202,
    data: PullSchema,
    problems: ['not-connectable', 'sync-not-possible'],
    async handle({ user, body: { kind }, ...call }) {
      const target = targetOf(call);
      await getIntegration(db, target.companyId, target.hrIntegrationId);
      if (kind === 'manual') await assertCanSync(db, target);
      return writeCompany(db, target.companyId, async (tx) => {
        const open = await findOpenPull(tx, target);
        if (open?.kind === kind && open.state === 'waiting') return presentPull(open);
        const request = { kind, requestedBy: user.name, userId: user.id, now: clock.now() };
        const id = await requestPull(tx, queue, target, request);
        const pull = id === undefined ? undefined : await findPull(tx, target, id);
        if (pull !== undefined) return presentPull(pull);
        throw new ApiError('not-connectable', createMessage('connection-without-credentials'));
      });
    },
  });

  route('GET /integrations/:id/pulls/:pullId', {
    summary: 'Get a pull',
    access: 'read',
    params: PullParams,
    data: PullSchema,
    async handle(call) {
      const row = await findPull(db, targetOf(call), call.params.pullId);
      if (row === undefined) throw notFound('pull');
      return presentPull(row, await presentPreview(db, call.companyId, row.preview));
    },
  });
});
