import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Provider, PullSchedule } from '../../../domain/enums.ts';
import { formatMessage } from '../../../domain/messages/message.ts';
import { todayIn } from '../../../platform/clock/clock.ts';
import { OperatorError } from '../../../platform/config/operator-error.ts';
import { openEncryption } from '../../../platform/crypto/open-encryption.ts';
import type { Db } from '../../../platform/db/database.ts';
import { writeCompany } from '../../../platform/db/write.ts';
import { getCompany, type Integration } from '../../companies/companies.ts';
import type { CompanyContext, EngineContext } from '../../context.ts';
import { getIntegration } from '../../integrations/change-integration.ts';
import { getSync } from '../../roster/accept.ts';
import { findLinkFee } from '../../roster/counts.ts';
import { runOldestSync } from '../../roster/run.ts';
import { type Connector, ConnectorError } from '../providers/connector.ts';
import { getConnector } from '../providers/index.ts';
import type { Mapping } from '../rules/mapping.ts';
import { templates } from '../templates/index.ts';
import { checkRules } from './check-rules.ts';
import { changeRules, connectIntegration } from './connect.ts';
import { checkConnection, checkCredentials, openConnection, readConnectorSettings } from './open-connection.ts';
import { type PullDeps, previewRoster } from './outcome.ts';
import { readAll, runPulls } from './run.ts';
import { requestPull } from './schedule.ts';
import { type ConnectorRow, findConnectorRow, findPull } from './store.ts';

async function readJson(option: string, path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as { code?: string };
    throw new OperatorError(`${option}: ${path} cannot be read (${code}). Give the path of a JSON file.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser would quote the file, which contains secrets.
    throw new OperatorError(`${option}: ${path} is not valid JSON. Correct the file.`);
  }
}

async function readMapping(path: string, defaults: Mapping): Promise<Mapping> {
  const mapping = await checkRules(await readJson('--mapping', path), defaults);
  if (!Array.isArray(mapping)) return mapping;
  const problems = mapping.map((problem) => `${problem.path || 'the mapping'} ${formatMessage(problem.message)}`);
  throw new OperatorError(`--mapping: ${path} is wrong: ${problems.join('; ')}.`);
}

async function readCredentials(path: string, connector: Connector) {
  const credentials = checkCredentials(await readJson('--credentials', path), connector);
  if (!Array.isArray(credentials)) return credentials;
  throw new OperatorError(`--credentials: ${path} is wrong: ${credentials.map(formatMessage).join(' ')}`);
}

async function assertPulls(db: Db, { companyId, hrIntegrationId }: Integration): Promise<void> {
  const { type } = await getIntegration(db, companyId, hrIntegrationId);
  if (type === 'hr-integration') return;
  throw new OperatorError(
    `Integration ${hrIntegrationId} is an ${type}, which the company pushes to. Create one of type hr-integration.`,
  );
}

async function getConnectorRow(db: Db, target: Integration): Promise<ConnectorRow> {
  await assertPulls(db, target);
  const row = await findConnectorRow(db, target);
  if (row !== undefined) return row;
  throw new OperatorError(
    `Integration ${target.hrIntegrationId} is not connected: run "integration connect" with its credentials first.`,
  );
}

interface ConnectInput {
  id: number;
  provider: Provider;
  credentials: string;
  mapping: string | undefined;
  template: string | undefined;
  nightlyTime: string | undefined;
  every: PullSchedule | undefined;
}

function findTemplate({ template: name }: ConnectInput, { provider }: Connector) {
  if (name === undefined) return undefined;
  const template = templates.find((one) => one.name === name);
  if (template !== undefined && provider === 'http-json') return template;
  const names = templates.map((one) => one.name).join(', ');
  throw new OperatorError(`--template is for the provider http-json, and one of ${names}.`);
}

export async function connectHrSystem(context: CompanyContext, input: ConnectInput) {
  const { db, companyId, by } = context;
  const target = { companyId, hrIntegrationId: input.id };
  const connector = getConnector(input.provider);
  const credentials = await readCredentials(input.credentials, connector);
  const template = findTemplate(input, connector);
  const defaults = template?.mapping ?? connector.defaultMapping;
  const mapping = input.mapping === undefined ? template?.mapping : await readMapping(input.mapping, defaults);
  const encryption = await context.openEncryption();
  await assertPulls(db, target);
  const connected = await context.write((tx) =>
    connectIntegration(
      tx,
      { target, encryption, now: by.at, by },
      { connector, credentials, isReady: true, mapping, nightlyTime: input.nightlyTime, every: input.every },
    ),
  );
  const { timeZone } = await getCompany(db, companyId);
  // The price, net, of all employees that the first sync links and no other integration does.
  const fee = await findLinkFee(db, companyId, todayIn({ now: () => by.at }, timeZone));
  return { id: input.id, ...connected, monthlyFeeCentsPerEmployee: fee };
}

export async function changeSchedule(
  { db, companyId, by, write }: CompanyContext,
  { id, nightlyTime, every }: Pick<ConnectInput, 'id' | 'nightlyTime' | 'every'>,
) {
  const target = { companyId, hrIntegrationId: id };
  await getConnectorRow(db, target);
  if (!nightlyTime && !every) throw new OperatorError('Nothing to change: give --every, --nightly-time or both.');
  await write((tx) => changeRules(tx, { target, now: by.at, by }, { nightlyTime, every }));
  const row = await getConnectorRow(db, target);
  return { id, every: row.pull_every, nightlyTime: row.nightly_time, nextPullAt: row.next_pull_at };
}

export async function checkHrSystem({ config, db, companyId, openEncryption }: CompanyContext, { id }: { id: number }) {
  const target = { companyId, hrIntegrationId: id };
  const row = await getConnectorRow(db, target);
  const company = await getCompany(db, companyId);
  const settings = readConnectorSettings(config, await openEncryption());
  const signal = AbortSignal.timeout(120_000);
  const open = () => openConnection(settings, { target, row, company, signal });
  const { problems } = await checkConnection(open, row.mapping);
  return {
    ok: problems.length === 0,
    problems: problems.map(({ code, what, message }) => ({ code, what, detail: formatMessage(message) })),
  };
}

const silent = { read() {}, failed() {} };

async function createPullDeps({ config, db, clock, queue, notices }: EngineContext): Promise<PullDeps> {
  const signal = new AbortController().signal;
  const settings = readConnectorSettings(config, await openEncryption(config, db));
  return { db, clock, queue, notices, signal, report: silent, ...settings };
}

async function previewPull(deps: PullDeps, target: Integration, row: ConnectorRow) {
  const company = await getCompany(deps.db, target.companyId);
  try {
    const pulled = await readAll({ deps, target, row, company });
    return { dryRun: true, ...(await previewRoster({ deps, target, company }, pulled, 'dry-run')) };
  } catch (error) {
    throw error instanceof ConnectorError ? new OperatorError(error.message) : error;
  }
}

/** Applies what was pulled in this process, as far as no worker is faster, and returns the outcome. */
async function applyPulled(
  { db, clock, queue, notices, employeeMails }: EngineContext,
  target: Integration,
  syncId: string,
) {
  const signal = new AbortController().signal;
  const report = { applied() {}, failed() {} };
  for (;;) {
    await runOldestSync({ db, deps: { clock, queue, notices, employeeMails }, queue, signal, report }, target);
    const sync = await getSync(db, target, syncId);
    if (sync.finishedAt !== null && sync.state !== 'accepted' && sync.state !== 'processing') return sync;
    await sleep(200);
  }
}

export async function syncHrSystem(
  context: EngineContext,
  { id: hrIntegrationId, dryRun }: { id: number; dryRun: boolean },
) {
  const { db, clock, companyId } = context;
  const target = { companyId, hrIntegrationId };
  const row = await getConnectorRow(db, target);
  const deps = await createPullDeps(context);
  if (dryRun) return previewPull(deps, target, row);
  const pull = { kind: 'manual', requestedBy: 'operator', now: clock.now() } as const;
  const id = await writeCompany(db, target.companyId, (tx) => requestPull(tx, undefined, target, pull));
  await runPulls(deps, target);
  const ended = id === undefined ? undefined : await findPull(db, target, id);
  if (ended === undefined) throw new OperatorError('The integration was disconnected meanwhile.');
  const { sync_id: syncId, state: status, reason, pages_read: pages, people_read: people } = ended;
  if (status !== 'read') return { syncId, status, reason, pages, people };
  const sync = await applyPulled(context, target, syncId);
  return { syncId, status: sync.state, reason: sync.reason, pages, people, entries: sync.entries, counts: sync.counts };
}
