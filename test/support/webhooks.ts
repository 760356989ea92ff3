import type { CompanyId } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import { writeCompany } from '../../src/db/write.ts';
import { createEncryption } from '../../src/encryption.ts';
import { appendEvents } from '../../src/events/append.ts';
import { type EndpointKey, type EndpointSettings, insertEndpoint } from '../../src/webhooks/endpoints.ts';
import { testClock } from './app.ts';

export const testEncryption = createEncryption('a secret of at least thirty-two characters');

/** Writes so many events in one transaction. */
export const addEvents = (db: Db, companyId: CompanyId, count: number): Promise<void> =>
  writeCompany(db, companyId, async (tx) => {
    const occurredAt = testClock.now();
    const event = (id: number) =>
      ({
        type: 'employee-created',
        occurredAt,
        payload: { id, resource: 'employee', hrIntegrationId: null },
      }) as const;
    appendEvents(
      tx,
      companyId,
      Array.from({ length: count }, (_, index) => event(index + 1)),
    );
  });

/** Creates an endpoint of a company. It receives the events from now on. */
export async function makeEndpoint(
  db: Db,
  companyId: CompanyId,
  settings: Partial<EndpointSettings> = {},
): Promise<EndpointKey & { secret: string }> {
  const all = { url: 'https://hooks.example.com/', eventTypes: [], description: '', ...settings };
  const created = await writeCompany(db, companyId, (tx) => insertEndpoint(tx, testEncryption, { companyId, ...all }));
  if (created === undefined) throw new Error('no endpoint was created');
  return { companyId, endpointId: created.id, secret: created.secret };
}

export const readDeliveries = (db: Db, { companyId, endpointId }: EndpointKey) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('endpoint_id', '=', endpointId)
    .orderBy('sequence')
    .execute();
