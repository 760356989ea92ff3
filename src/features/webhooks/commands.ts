import type { EventType } from '../../domain/enums.ts';
import type { CommandContext } from '../../platform/cli/define.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { openEncryption } from '../../platform/crypto/open-encryption.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { describeWrongUrl } from '../../platform/outgoing/urls.ts';
import { assertCompany, changeCompany, inTransaction } from '../command-context.ts';
import {
  deleteEndpoint,
  disableEndpoint,
  type EndpointKey,
  enableEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  maxEndpoints,
  rotateEndpointSecret,
} from './endpoints.ts';
import { presentEndpoint } from './present.ts';
import { replayEvents, sendTestEvent } from './redeliver.ts';

interface CreateOptions {
  company: CompanyId;
  url: string;
  types: EventType[] | undefined;
  description: string | undefined;
}

export async function createWebhook({ company, url, types, description }: CreateOptions, { config }: CommandContext) {
  const { environment, webhookAllowPrivate: allowPrivate } = config;
  const wrong = await describeWrongUrl(url, { environment, allowPrivate });
  if (wrong !== undefined) throw new OperatorError(`--url ${wrong}.`);
  const settings = { companyId: company, url, eventTypes: types ?? [], description: description ?? '' };
  return changeCompany(config, company, async (tx, at) => {
    await assertCompany(tx, company);
    const encryption = await openEncryption(config, tx);
    const created = await insertEndpoint(tx, encryption, settings, { at });
    if (created === undefined) {
      throw new OperatorError(`Company ${company} has ${maxEndpoints} webhooks already: delete one first.`);
    }
    return created;
  });
}

export const listWebhooks = ({ company }: { company: CompanyId }, { config }: CommandContext) =>
  inTransaction(config, async (tx) => {
    await assertCompany(tx, company);
    return (await listEndpoints(tx, company)).map(presentEndpoint);
  });

interface OneOptions {
  id: number;
  company: CompanyId;
}

const noWebhook = ({ companyId, endpointId }: EndpointKey) =>
  new OperatorError(`Company ${companyId} has no webhook ${endpointId}: check the id and --company.`);

/** Runs a change of one webhook. Throws if the change returns nothing, because there is no such webhook. */
const changeWebhook = <T>(
  { id, company }: OneOptions,
  { config }: CommandContext,
  change: (tx: Tx, key: EndpointKey, at: Temporal.Instant) => Promise<T | undefined | false>,
): Promise<T> =>
  changeCompany(config, company, async (tx, at) => {
    await assertCompany(tx, company);
    const key = { companyId: company, endpointId: id };
    const result = await change(tx, key, at);
    if (result === undefined || result === false) throw noWebhook(key);
    return result;
  });

async function assertEnabled(tx: Tx, key: EndpointKey): Promise<void> {
  if ((await findEndpoint(tx, key))?.state === 'disabled')
    throw new OperatorError(`Webhook ${key.endpointId} is disabled: run "webhook enable" first.`);
}

export const testWebhook = (options: OneOptions, context: CommandContext) =>
  changeWebhook(options, context, async (tx, key, at) => {
    await assertEnabled(tx, key);
    return sendTestEvent(tx, key, at, { at });
  });

export const rotateWebhook = (options: OneOptions, context: CommandContext) =>
  changeWebhook(options, context, async (tx, key, at) => {
    const encryption = await openEncryption(context.config, tx);
    const rotated = await rotateEndpointSecret(tx, encryption, key, { at });
    return (
      rotated && { id: key.endpointId, secret: rotated.secret, previousUntil: presentTimestamp(rotated.previousUntil) }
    );
  });

/** Returns the webhook as it is after the change. */
const showChanged = async (tx: Tx, key: EndpointKey, isFound: boolean) => {
  const row = isFound ? await findEndpoint(tx, key) : undefined;
  return row && presentEndpoint(row);
};

export const enableWebhook = (options: OneOptions, context: CommandContext) =>
  changeWebhook(options, context, async (tx, key, at) => showChanged(tx, key, await enableEndpoint(tx, key, { at })));

export const disableWebhook = (options: OneOptions, context: CommandContext) =>
  changeWebhook(options, context, async (tx, key, at) =>
    showChanged(tx, key, await disableEndpoint(tx, key, 'manual', { at })),
  );

export const deleteWebhook = (options: OneOptions, context: CommandContext) =>
  changeWebhook(
    options,
    context,
    async (tx, key, at) => (await deleteEndpoint(tx, key, { at })) && { id: key.endpointId, deleted: true },
  );

interface ReplayOptions extends OneOptions {
  from: number;
  to: number | undefined;
}

export async function replayWebhook({ from, to, ...options }: ReplayOptions, context: CommandContext) {
  if (to !== undefined && to < from) throw new OperatorError('--to must not be smaller than --from.');
  return changeWebhook(options, context, async (tx, key, at) => {
    await assertEnabled(tx, key);
    const events = await replayEvents(tx, key, { from, to: to ?? Number.MAX_SAFE_INTEGER }, { at });
    return events === undefined ? undefined : { id: key.endpointId, events };
  });
}
