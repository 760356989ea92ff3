import { type RawBuilder, sql } from 'kysely';
import type { BarcodeFormat, OrderActor, OrderState } from '../../domain/enums.ts';
import type { Message } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Delivery } from './rules/delivery.ts';

/** How a company's tickets are ordered. */
export interface IssuerRow {
  url: string | null;
  encryptedToken: string | null;
  callbackToken: string | null;
  encryptedCallbackSecret: string | null;
  cutOffDay: number;
  leadDays: number;
  product: string;
  priceList: { from: string; grossCents: number }[];
  mapping: unknown;
  /** How lists are exchanged. Null: a person takes them to the issuer. */
  delivery: Delivery | null;
  /** The secret of it. */
  encryptedDelivery: string | null;
  nextRunAt: string | null;
  pausedUntil: string | null;
  failingSince: string | null;
  failures: number;
  lastError: Message | null;
  documentsDue: string | null;
  reconcileDue: string | null;
}

export async function findIssuerRow(
  db: Db | Tx,
  companyId: CompanyId,
  { lock = false } = {},
): Promise<IssuerRow | undefined> {
  const { rows } = await sql<IssuerRow>`
    select s.url, s.encrypted_token as "encryptedToken", s.callback_token as "callbackToken",
      s.encrypted_callback_secret as "encryptedCallbackSecret", s.cut_off_day as "cutOffDay", s.lead_days as "leadDays",
      s.product, s.price_list as "priceList", s.mapping,
      s.delivery_settings || jsonb_build_object('kind', s.delivery) as delivery,
      s.encrypted_delivery as "encryptedDelivery", s.next_run_at as "nextRunAt", s.paused_until as "pausedUntil",
      s.failing_since as "failingSince", s.failures, s.last_error as "lastError", s.documents_due as "documentsDue",
      s.reconcile_due as "reconcileDue"
    from issuer_settings s where ${ofCompany(companyId, 's')} ${lock ? sql`for no key update` : sql``}`.execute(db);
  return rows[0];
}

export async function updateIssuer(tx: Tx, companyId: CompanyId, columns: Record<string, unknown>): Promise<void> {
  const changes = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  await sql`update issuer_settings s set ${sql.join(changes)} where ${ofCompany(companyId, 's')}`.execute(tx);
}

/** Lets the schedule start the job within a minute. */
export const requestWork = (tx: Tx, companyId: CompanyId, now: string): Promise<void> =>
  updateIssuer(tx, companyId, { next_run_at: sql`least(next_run_at, ${now}::timestamptz)` });

/** An order as the engine works on it. */
export interface OrderRow {
  employeeId: number;
  month: string;
  attempt: number;
  orderId: string;
  state: OrderState;
  reason: Message | null;
  reasonCode: string | null;
  responsible: OrderActor | null;
  firstName: string | null;
  lastName: string | null;
  dateOfBirth: string | null;
  product: string | null;
  requiredAt: string;
  orderedAt: string | null;
  answeredAt: string | null;
  replacesAttempt: number | null;
  nextAttemptAt: string | null;
  failures: number;
  isAtIssuer: boolean;
  /** What inspectors may type, and HR sees: of the ticket, else of its card, else the code that activates it. */
  number: string | null;
  chipCardNumber: string | null;
  activationCode: string | null;
  validFrom: string | null;
  validUntil: string | null;
  barcode: string | null;
  barcodeFormat: BarcodeFormat | null;
}

const orderColumns = sql`o.employee_id as "employeeId", o.month, o.attempt, o.order_id as "orderId", o.state, o.reason,
  o.reason_code as "reasonCode", o.responsible, o.first_name as "firstName", o.last_name as "lastName",
  o.date_of_birth as "dateOfBirth", o.product, o.required_at as "requiredAt", o.ordered_at as "orderedAt",
  o.answered_at as "answeredAt", o.replaces_attempt as "replacesAttempt", o.next_attempt_at as "nextAttemptAt", o.failures,
  o.is_at_issuer as "isAtIssuer", o.number, o.chip_card_number as "chipCardNumber",
  o.activation_code as "activationCode", o.valid_from as "validFrom", o.valid_until as "validUntil", o.barcode,
  o.barcode_format as "barcodeFormat"`;

export async function listOrders(
  db: Db | Tx,
  companyId: CompanyId,
  where: RawBuilder<unknown>,
  limit?: number,
): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select ${orderColumns} from ticket_orders o where ${ofCompany(companyId, 'o')} and ${where}
    order by o.month, o.employee_id, o.attempt ${limit === undefined ? sql`` : sql`limit ${limit}`}`.execute(db);
  return rows;
}

/** Where the next page of due orders begins. */
export type OrderKey = Pick<OrderRow, 'month' | 'employeeId' | 'attempt'>;
export const firstKey: OrderKey = { month: '0001-01-01', employeeId: 0, attempt: 0 };

/** Returns the next orders that the issuer is to be asked about, oldest month first. */
export const listDueOrders = (
  db: Db,
  companyId: CompanyId,
  { after, now, limit }: { after: OrderKey; now: string; limit: number },
): Promise<OrderRow[]> =>
  listOrders(
    db,
    companyId,
    sql`o.next_attempt_at is not null and o.next_attempt_at <= ${now}::timestamptz
      and (o.month, o.employee_id, o.attempt) > (${after.month}::date, ${after.employeeId}, ${after.attempt})`,
    limit,
  );
