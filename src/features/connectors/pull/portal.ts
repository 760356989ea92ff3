import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Provider } from '../../../domain/enums.ts';
import { createMessage, formatMessage, type Message } from '../../../domain/messages/message.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import { writeCompany } from '../../../platform/db/write.ts';
import { ApiError, notFound, refuseBody } from '../../../platform/http/errors.ts';
import { portalOperation } from '../../../platform/http/portal/operation.ts';
import { DataOf } from '../../../platform/http/schemas.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../../platform/http/view.ts';
import { actorOf, userOf } from '../../accounts/guard.ts';
import type { Integration } from '../../companies/companies.ts';
import type { AppContext, Routes } from '../../context.ts';
import { getIntegration, type HrIntegrationRow } from '../../integrations/change-integration.ts';
import { IntegrationParams } from '../../integrations/contract.ts';
import { targetOf } from '../../integrations/portal.ts';
import { assertCanSync } from '../../roster/accept.ts';
import { nameRecords } from '../../roster/columns.ts';
import type { RosterPreviewSchema } from '../../roster/contract.ts';
import type { Connector } from '../providers/connector.ts';
import { getConnector } from '../providers/index.ts';
import { checkMapping, type Mapping } from '../rules/mapping.ts';
import { defaultNightlyTime } from '../rules/schedule.ts';
import { changeRules, connectIntegration } from './connect.ts';
import {
  CheckBody,
  ConnectBody,
  ConnectionCheckSchema,
  ConnectionSchema,
  PullBody,
  PullParams,
  PullSchema,
  RulesBody,
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
import { type ConnectorRow, findConnectorRow, findNewestPull, findOpenPull, findPull, type PullRow } from './store.ts';

/** How long the user waits for the HR system at most. */
const maxMillis = 30_000;

async function getPullingIntegration(db: Db, target: Integration): Promise<HrIntegrationRow> {
  const integration = await getIntegration(db, target.companyId, target.hrIntegrationId);
  if (integration.type === 'hr-integration') return integration;
  throw new ApiError('not-connectable', createMessage('connection-pushed'));
}

async function getConnectorRow(db: Db, target: Integration): Promise<ConnectorRow> {
  await getPullingIntegration(db, target);
  const row = await findConnectorRow(db, target);
  if (row === undefined) throw new ApiError('not-connectable', createMessage('connection-without-credentials'));
  return row;
}

function readCredentials(value: unknown, connector: Connector) {
  const credentials = checkCredentials(value, connector);
  if (!Array.isArray(credentials)) return credentials;
  throw refuseBody(credentials.map((message) => ({ pointer: '/credentials', code: 'invalid', message })));
}

function readMapping(value: unknown, connector: Connector): Mapping {
  const mapping = checkMapping(value, connector.defaultMapping);
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

function createSteps({ config, db, clock, encryption }: AppContext) {
  const settings = readConnectorSettings(config, encryption);
  const by = (request: FastifyRequest) => ({ actor: actorOf(request), at: clock.now() });

  /** Tests new credentials, and stores them if they are usable: an integration that works must not lose its old ones. */
  async function connect(request: FastifyRequest, id: number, body: { provider: Provider; credentials: unknown }) {
    const target = targetOf(request, id);
    const { company } = userOf(request);
    const integration = await getPullingIntegration(db, target);
    const row = await findConnectorRow(db, target);
    const isSetUp = integration.initial_connection_status !== 'incomplete';
    if (isSetUp && row !== undefined && row.provider !== body.provider) {
      const message = createMessage('provider-fixed', { provider: row.provider });
      throw refuseBody([{ pointer: '/provider', code: 'fixed', message }]);
    }
    const connector = getConnector(body.provider);
    const credentials = readCredentials(body.credentials, connector);
    const mapping = row?.provider === body.provider ? row.mapping : connector.defaultMapping;
    const { provider } = connector;
    const signal = AbortSignal.timeout(maxMillis);
    const checked = await checkConnection(
      () => openNewConnection(settings, { provider, credentials, company, signal }),
      mapping,
    );
    const isStored = isSetUp ? checked.problems.length === 0 : isLetIn(checked);
    if (isStored) {
      const now = clock.now();
      await writeCompany(db, target.companyId, (tx) =>
        connectIntegration(
          tx,
          { target, encryption, now, by: by(request) },
          { connector, credentials, mapping, isReady: isSetUp },
        ),
      );
    }
    return presentCheck(checked, isStored);
  }

  async function check(request: FastifyRequest, id: number, given: unknown) {
    const target = targetOf(request, id);
    const { company } = userOf(request);
    const row = await getConnectorRow(db, target);
    const mapping = given === null ? row.mapping : readMapping(given, getConnector(row.provider));
    const signal = AbortSignal.timeout(maxMillis);
    return presentCheck(
      await checkConnection(() => openConnection(settings, { target, row, company, signal }), mapping),
      true,
    );
  }

  return { connect, check, by };
}

export const connectionRoutes: Routes = (app, context) => {
  const { db, clock, slots } = context;
  const steps = createSteps(context);
  const inSlot = <T>(request: FastifyRequest, work: () => Promise<T>) => {
    const { companyId, id: name } = userOf(request);
    return slots.connectionTests.run({ companyId, name }, work);
  };
  const change = {
    access: 'integrations',
    params: IntegrationParams,
    problems: ['not-connectable'],
  } as const;

  app.get(
    '/integrations/:id/connection',
    portalOperation({
      summary: 'Get how an integration pulls',
      description: 'Credentials are never returned.',
      access: 'read',
      params: IntegrationParams,
      response: { 200: DataOf(ConnectionSchema) },
    }),
    async (request) => {
      const target = targetOf(request, request.params.id);
      await getIntegration(db, target.companyId, target.hrIntegrationId);
      const row = await findConnectorRow(db, target);
      const pull = row && (await findNewestPull(db, target));
      return {
        data: {
          provider: row?.provider ?? null,
          mapping: row?.mapping ?? null,
          mappingVersion: row?.mapping_version ?? 0,
          nightlyTime: row?.nightly_time ?? defaultNightlyTime,
          nextPullAt: presentOptionalTimestamp(row?.next_pull_at ?? null),
          failureReason: row?.failure_reason ?? null,
          failureMessage: (row?.failure_message ?? null) as Message | null,
          pull: pull === undefined ? null : presentPull(pull),
        },
      };
    },
  );

  app.post(
    '/integrations/:id/connection',
    portalOperation({
      ...change,
      summary: 'Connect an integration to the HR system',
      description:
        'Tests the credentials. Stores them if the HR system accepts them; once the set-up is finished, only if nothing is missing.',
      body: ConnectBody,
      response: { 200: DataOf(ConnectionCheckSchema) },
    }),
    async (request) => ({
      data: await inSlot(request, () => steps.connect(request, request.params.id, request.body)),
    }),
  );

  app.post(
    '/integrations/:id/connection/check',
    portalOperation({
      ...change,
      summary: 'Test the connection to the HR system',
      body: CheckBody,
      response: { 200: DataOf(ConnectionCheckSchema) },
    }),
    async (request) => ({
      data: await inSlot(request, () => steps.check(request, request.params.id, request.body.mapping)),
    }),
  );

  app.post(
    '/integrations/:id/connection/rules',
    portalOperation({
      ...change,
      summary: 'Change the mapping and the nightly time, and finish the set-up',
      body: RulesBody,
    }),
    async (request, _reply) => {
      const target = targetOf(request, request.params.id);
      const { mapping: given, nightlyTime, finish } = request.body;
      const { provider } = await getConnectorRow(db, target);
      const mapping = given && readMapping(given, getConnector(provider));
      await writeCompany(db, target.companyId, (tx) =>
        changeRules(tx, { target, now: clock.now(), by: steps.by(request) }, { mapping, nightlyTime, isReady: finish }),
      );
    },
  );
};

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

export const pullRoutes: Routes = (app, { db, clock, queue }) => {
  app.post(
    '/integrations/:id/pulls',
    portalOperation({
      summary: 'Read the roster from the HR system now, or preview it',
      description:
        'A worker reads the roster in the background. A pull of the same kind that waits is returned instead.',
      access: 'syncs',
      params: IntegrationParams,
      body: PullBody,
      response: { 202: DataOf(PullSchema) },
      problems: ['not-connectable', 'sync-not-possible'],
    }),
    async (request, _reply) => {
      const target = targetOf(request, request.params.id);
      const { kind } = request.body;
      const { id: userId, name: requestedBy } = userOf(request);
      await getIntegration(db, target.companyId, target.hrIntegrationId);
      if (kind === 'manual') await assertCanSync(db, target);
      const data = await writeCompany(db, target.companyId, async (tx) => {
        const open = await findOpenPull(tx, target);
        if (open?.kind === kind && open.state === 'waiting') return presentPull(open);
        const id = await requestPull(tx, queue, target, { kind, requestedBy, userId, now: clock.now() });
        const pull = id === undefined ? undefined : await findPull(tx, target, id);
        if (pull === undefined) {
          throw new ApiError('not-connectable', createMessage('connection-without-credentials'));
        }
        return presentPull(pull);
      });
      return { data };
    },
  );

  app.get(
    '/integrations/:id/pulls/:pullId',
    portalOperation({
      summary: 'Get a pull',
      access: 'read',
      params: PullParams,
      response: { 200: DataOf(PullSchema) },
    }),
    async (request) => {
      const target = targetOf(request, request.params.id);
      const row = await findPull(db, target, request.params.pullId);
      if (row === undefined) throw notFound('pull');
      return { data: presentPull(row, await presentPreview(db, target.companyId, row.preview)) };
    },
  );
};
