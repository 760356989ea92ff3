import { sql } from 'kysely';
import type { IssuerKind } from '../../domain/enums.ts';
import { createSecret, formatToken } from '../../platform/crypto/company-token.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { compileValidator } from '../../platform/http/validator.ts';
import { describeWrongUrl } from '../../platform/outgoing/urls.ts';
import { insertAudit } from '../activity/record.ts';
import { getCompany, lockCompany } from '../companies/companies.ts';
import type { CompanyContext } from '../context.ts';
import { createWebhookSecret } from '../webhooks/sign.ts';
import type { IssuerSettings } from './contract.ts';
import { findIssuerProvider } from './providers/index.ts';
import { secretNameOf } from './providers/issuer.ts';
import { requireTickets } from './require.ts';
import { findMappingProblem, type OrderMapping, OrderMappingSchema } from './rules/order-mapping.ts';
import { findIssuerRow, type IssuerRow, updateIssuer } from './store.ts';

/** What German issuers usually accept: orders until the 20th, which are placed five days ahead. */
const defaults = { cutOffDay: 20, leadDays: 5, product: 'deutschlandticket-job' };

export interface IssuerInput {
  issuer: IssuerKind;
  url?: string | undefined;
  token?: string | undefined;
  cutOffDay?: number | undefined;
  leadDays?: number | undefined;
  product?: string | undefined;
  priceList?: IssuerRow['priceList'] | undefined;
  mapping?: unknown;
}

const refuse = (detail: string) => new ApiError('issuer-not-possible', detail);

const isMapping = compileValidator({ schema: OrderMappingSchema });

function findWrongMapping(mapping: unknown): string | undefined {
  if (!isMapping(mapping)) {
    const [error] = isMapping.errors ?? [];
    return `The mapping is wrong at ${error?.instancePath || '/'}: it ${error?.message ?? 'is invalid'}. Correct it (docs/connect-an-issuer.md has an example).`;
  }
  const problem = findMappingProblem(mapping as OrderMapping);
  return problem && `The mapping is wrong: ${problem}.`;
}

async function findWrongInput(context: CompanyContext, input: IssuerInput, known: IssuerRow | undefined) {
  const { environment, webhookAllowPrivate: allowPrivate } = context.config;
  const kind = findIssuerProvider(input.issuer)?.settings;
  if (kind !== 'lists' && input.mapping !== undefined) return 'Only the issuer order-list has a mapping: leave it out.';
  if (kind !== 'interface') {
    const given = input.url !== undefined || input.token !== undefined;
    if (given) return 'Only the issuer http has a URL and a token: leave them out.';
    return input.mapping === undefined || input.mapping === null ? undefined : findWrongMapping(input.mapping);
  }
  if (input.url === undefined && !known?.url) return 'The issuer http needs the URL of its interface: give it.';
  if (input.token === undefined && !known?.encryptedToken) return 'The issuer http needs a token: give a file with it.';
  // A token is only sent to the issuer for which it was entered.
  if (input.url !== undefined && known?.url && input.url !== known.url && input.token === undefined)
    return 'For another URL, give the token again.';
  const problem =
    input.url === undefined ? undefined : await describeWrongUrl(input.url, { environment, allowPrivate });
  return problem && `The URL ${problem}.`;
}

/** Counts orders that the issuer has, or may have. With another issuer nobody could ask about them any more. */
async function countOpenOrders(tx: Tx, companyId: CompanyId): Promise<number> {
  const { rows } = await sql<{ orders: number }>`
    select count(*) as orders from ticket_orders o where ${ofCompany(companyId, 'o')}
      and (o.state = 'ordered' or (o.next_attempt_at is not null and o.ordered_at is not null))`.execute(tx);
  return rows[0]?.orders ?? 0;
}

async function endUnplacedOrders(tx: Tx, companyId: CompanyId, now: string): Promise<void> {
  await sql`
    update ticket_orders o set state = 'blocked', reason_code = 'issuer-changed', responsible = 'nobody',
      reason = '{"key":"order-issuer-changed","values":{}}'::jsonb, ended_at = ${now}::timestamptz, next_attempt_at = null
    where ${ofCompany(companyId, 'o')} and o.state = 'required'`.execute(tx);
}

/**
 * Chooses who issues the tickets of a company. Orders are placed by the service soon after. Returns the secret of the
 * callbacks if it is new: only this shows it.
 */
export async function setIssuer(context: CompanyContext, input: IssuerInput) {
  const { companyId, by, config, db } = context;
  const before = await findIssuerRow(db, companyId);
  const problem = await findWrongInput(context, input, before);
  if (problem !== undefined) throw refuse(problem);
  const encryption = await context.openEncryption();
  const kind = findIssuerProvider(input.issuer)?.settings;
  const isHttp = kind === 'interface';
  const secret = isHttp && !before?.callbackToken ? createWebhookSecret() : undefined;
  const now = by.at.toString();
  const callbackToken = secret === undefined ? (before?.callbackToken ?? null) : createSecret();
  await context.write(async (tx) => {
    await lockCompany(tx, companyId);
    const company = await getCompany(tx, companyId);
    const known = await findIssuerRow(tx, companyId, { lock: true });
    const isMoved = company.issuer !== input.issuer || (input.url !== undefined && known?.url !== input.url);
    const open = isMoved && company.issuer !== 'built-in' ? await countOpenOrders(tx, companyId) : 0;
    if (open > 0) {
      throw refuse(
        `The present issuer still has ${open} orders without a final answer. Wait for them, or block these tickets first.`,
      );
    }
    if (company.issuer !== input.issuer && company.issuer !== 'built-in') await endUnplacedOrders(tx, companyId, now);
    const columns = {
      url: isHttp ? (input.url ?? known?.url ?? null) : null,
      encrypted_token: !isHttp
        ? null
        : input.token === undefined
          ? (known?.encryptedToken ?? null)
          : encryption.encrypt(input.token, secretNameOf(companyId)),
      callback_token: isHttp ? callbackToken : null,
      encrypted_callback_secret: !isHttp
        ? null
        : secret === undefined
          ? (known?.encryptedCallbackSecret ?? null)
          : encryption.encrypt(secret, secretNameOf(companyId)),
      cut_off_day: input.cutOffDay ?? known?.cutOffDay ?? defaults.cutOffDay,
      lead_days: input.leadDays ?? known?.leadDays ?? defaults.leadDays,
      product: input.product ?? known?.product ?? defaults.product,
      price_list: JSON.stringify(input.priceList ?? known?.priceList ?? []),
      mapping: input.mapping === undefined ? JSON.stringify(known?.mapping ?? null) : JSON.stringify(input.mapping),
      ...(kind === 'lists' ? {} : { delivery: null, delivery_settings: null, encrypted_delivery: null }),
      paused_until: null,
      failures: 0,
      failing_since: null,
      last_error: null,
      next_run_at: now,
      updated_at: now,
    };
    await sql`insert into issuer_settings (company_id, ${sql.join(Object.keys(columns).map((name) => sql.ref(name)))})
      values (${companyId}, ${sql.join(Object.values(columns))}) on conflict (company_id) do nothing`.execute(tx);
    if (known !== undefined) await updateIssuer(tx, companyId, columns);
    await sql`update companies set issuer = ${input.issuer} where id = ${companyId}`.execute(tx);
    const host = columns.url === null ? null : new URL(columns.url).host;
    const detail = { issuer: input.issuer, host, cutOffDay: columns.cut_off_day, leadDays: columns.lead_days };
    await insertAudit(tx, companyId, { action: 'issuer.set', target: input.issuer, detail, ...by });
    // The schedule starts the job: orders are placed within a minute.
    const queue = { enqueueOrders: async () => {} };
    const step = { day: company.processedThrough, now: by.at };
    if (input.issuer !== 'built-in') await requireTickets(tx, queue, { ...company, issuer: input.issuer }, step);
  });
  const shown = await showIssuer(context);
  const url =
    callbackToken && `${config.publicUrl}/v1/issuer-callbacks/${formatToken({ companyId, secret: callbackToken })}`;
  return { ...shown, ...(secret === undefined ? {} : { callback: { url, secret } }) };
}

async function countStates(db: Db, companyId: CompanyId): Promise<IssuerSettings['months']> {
  const { rows } = await sql<IssuerSettings['months'][number]>`
    select to_char(o.month, 'YYYY-MM') as month,
      count(*) filter (where o.state = 'required') as required, count(*) filter (where o.state = 'ordered') as ordered,
      count(*) filter (where o.state = 'issued') as issued, count(*) filter (where o.state = 'failed') as failed,
      count(*) filter (where o.state = 'blocked') as blocked, count(*) filter (where o.state = 'replaced') as replaced
    from ticket_orders o where ${ofCompany(companyId, 'o')} group by o.month order by o.month desc limit 12`.execute(
    db,
  );
  return rows;
}

/** Returns who issues the tickets of a company, how far the orders are, and what keeps them. Shows no token. */
export async function showIssuer({ db, companyId }: Pick<CompanyContext, 'db' | 'companyId'>): Promise<IssuerSettings> {
  const { issuer } = await getCompany(db, companyId);
  const row = await findIssuerRow(db, companyId);
  const isOwn = issuer === 'built-in' || row === undefined;
  return {
    issuer,
    url: row?.url ?? null,
    cutOffDay: isOwn ? null : row.cutOffDay,
    leadDays: isOwn ? null : row.leadDays,
    product: isOwn ? null : row.product,
    priceList: row?.priceList ?? [],
    delivery: row?.delivery ?? null,
    nextAttemptAt: isOwn ? null : (row.pausedUntil ?? row.nextRunAt),
    failingSince: row?.failingSince ?? null,
    lastError: row?.lastError ?? null,
    months: isOwn ? [] : await countStates(db, companyId),
  };
}
