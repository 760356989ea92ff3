import assert from 'node:assert/strict';
import { insertAudit } from '../../src/features/activity/record.ts';
import { appendEvents } from '../../src/features/events/append.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import { connectDatabase } from '../../src/platform/db/database.ts';
import { writeCompany } from '../../src/platform/db/write.ts';
import type { Credentials, TestApp, TestResponse } from './app.ts';

interface EventLoad {
  writers: number;
  /** Transactions per writer. */
  transactions: number;
  /** The largest number of events per transaction. The average is half of it. */
  events: number;
}

interface Reader {
  app: TestApp;
  key: Credentials;
  query?: string;
  hasEnded: () => boolean;
}

/** Pages through all events, and goes on until the writers have ended and nothing is left. */
async function readEvents({ app, key, query = '', hasEnded }: Reader): Promise<TestResponse['body'][]> {
  const read: TestResponse['body'][] = [];
  for (let after = 0; ; ) {
    const isLast = hasEnded();
    const { status, body } = await app.request(`/events?after=${after}${query}`, { key });
    assert.equal(status, 200, JSON.stringify(body));
    const { data, nextAfter, hasMore } = body.data;
    assert(nextAfter >= after, 'nextAfter never goes back');
    read.push(...data);
    if (isLast && !hasMore) return read;
    after = nextAfter;
  }
}

/**
 * Writes events in concurrent transactions, some of which fail, while two clients read. Throws if a client misses an
 * event, receives one twice or sees a gap. Returns the number of events.
 */
export async function assertNothingMissed(
  app: TestApp,
  { companyId, key }: { companyId: CompanyId; key: Credentials },
  { writers, transactions, events }: EventLoad,
): Promise<number> {
  const { db, close } = connectDatabase({ url: app.databaseUrl, max: writers, applicationName: 'test' });
  const written = new Set<number>();
  const occurredAt = Temporal.Instant.from('2026-11-15T11:00:00Z');

  async function writeOnce(writer: number, number: number): Promise<void> {
    const count = 1 + ((writer * 31 + number * 17) % events);
    const first = (writer * transactions + number) * events + 1;
    const ids = Array.from({ length: count }, (_, index) => first + index);
    const isFailing = (writer + number) % 7 === 6;
    const write = writeCompany(db, companyId, async (tx) => {
      appendEvents(
        tx,
        companyId,
        ids.map((id) =>
          id % 10 === 0
            ? { type: 'employee-removed', occurredAt, payload: { id, resource: 'employee', hrIntegrationId: null } }
            : { type: 'employee-created', occurredAt, payload: { id, resource: 'employee', hrIntegrationId: id % 3 } },
        ),
      );
      await insertAudit(tx, companyId, { action: 'test.write', target: String(first) });
      if (isFailing) throw new Error('on purpose');
    });
    if (isFailing) {
      await assert.rejects(write, /on purpose/);
      return;
    }
    await write;
    for (const id of ids) written.add(id);
  }

  let isWriting = true;
  const hasEnded = () => !isWriting;
  const reading = Promise.all([
    readEvents({ app, key, hasEnded }),
    readEvents({ app, key, query: '&types=employee-removed&limit=7', hasEnded }),
  ]);
  try {
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let number = 0; number < transactions; number++) await writeOnce(writer, number);
      }),
    );
  } finally {
    isWriting = false;
    await close();
  }
  const [all, removed] = await reading;
  assert.deepEqual(
    all.map(({ sequence }) => sequence),
    all.map((_, index) => index + 1),
    'the sequence has no gap',
  );
  assert.equal(all.length, written.size, 'every event was read, and none twice');
  assert.deepEqual(new Set(all.map(({ payload }) => payload.id)), written);
  assert.equal(new Set(all.map(({ id }) => id)).size, written.size);
  assert.deepEqual(
    removed,
    all.filter(({ type }) => type === 'employee-removed'),
    'a filter leaves out nothing else',
  );
  return all.length;
}
