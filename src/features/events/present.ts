import type { Selectable } from 'kysely';
import type { TSchema } from 'typebox';
import type { EventType } from '../../domain/enums.ts';
import type { EventsTable } from '../../platform/db/types.gen.ts';
import { presentTimestamp, type View } from '../../platform/http/view.ts';
import { type Payloads, payloadSchemas, type StoredPayloads } from './contract.ts';

export type EventRow = Omit<Selectable<EventsTable>, 'company_id'>;

type Presenters = {
  [Type in EventType]?: (payload: StoredPayloads[Type], view: View) => Payloads[Type];
};

/** The payloads to which something is added: labels of amounts and links. All others are shown as they are stored. */
const presenters: Presenters = {
  // Earlier releases stored no `upcoming`, and planned dates in the fields of reached ones.
  'employee-subscription-changed': ({ subscription, ...payload }) => ({
    ...payload,
    subscription: { ...subscription, upcoming: subscription.upcoming ?? null },
  }),
  'billing-items-created': ({ period, chargeTypes }, { money }) => ({
    period,
    chargeTypes: chargeTypes.map(({ chargeType, items, overallCents }) => ({
      chargeType,
      items,
      overall: money(overallCents),
    })),
  }),
  'payroll-export-ready': (payload, { links }) => ({
    ...payload,
    _links: { self: links.payrollExport(payload.id), download: links.payrollExportDownload(payload.id) },
  }),
  'invoice-issued': (payload, { links }) => ({
    ...payload,
    _links: { self: links.invoice(payload.id), download: links.invoiceDownload(payload.id) },
  }),
};

type ObjectSchema = TSchema & { properties?: Record<string, TSchema> };

/** Puts the fields into the order of their schema, because the database does not keep it. */
function orderFields(schema: ObjectSchema, value: unknown): unknown {
  const { properties } = schema;
  if (properties === undefined || value === null || typeof value !== 'object') return value;
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => name in fields)
      .map(([name, property]) => [name, orderFields(property, fields[name])]),
  );
}

export function presentPayload({ type, payload }: Pick<EventRow, 'type' | 'payload'>, view: View): object {
  const present = presenters[type] as ((payload: unknown, view: View) => object) | undefined;
  return orderFields(payloadSchemas[type], present ? present(payload, view) : payload) as object;
}

export const presentEvent = (row: EventRow, view: View) => ({
  id: row.id,
  type: row.type,
  sequence: row.sequence,
  occurredAt: presentTimestamp(row.occurred_at),
  payload: presentPayload(row, view),
  resource: 'event' as const,
  _links: { self: view.links.event(row.sequence) },
});
