import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FakeServer } from '../../../src/features/connectors/fake/fake-server.ts';
import { bamboohr } from '../../../src/features/connectors/providers/bamboohr.ts';
import { type Connector, ConnectorError } from '../../../src/features/connectors/providers/connector.ts';
import { hibob } from '../../../src/features/connectors/providers/hibob.ts';
import { responseLimits } from '../../../src/features/connectors/providers/http-client.ts';
import { personio } from '../../../src/features/connectors/providers/personio.ts';
import { listAttributes } from '../../../src/features/connectors/rules/mapping.ts';
import { bamboohrCredentials, startFakeBamboohr } from '../../support/fake-hr/bamboohr.ts';
import { hibobCredentials, startFakeHibob } from '../../support/fake-hr/hibob.ts';
import { startFakeWith } from '../../support/fake-hr/personio.ts';
import { limitBamboohr, limitHibob, limitPersonio } from '../../support/fake-hr/request-limit.ts';

const personioCredentials = { clientId: 'papi-client', clientSecret: 'papi-secret' };

/** Connects with the delays of production, and closes everything. */
async function withConnection<T>(
  fake: FakeServer,
  connector: Connector,
  credentials: Record<string, string>,
  use: (countPeople: () => Promise<number>) => Promise<T>,
): Promise<T> {
  const signal = new AbortController().signal;
  const options = { origin: fake.origin, signal, timeZone: 'Europe/Berlin', allowsPrivateHosts: true };
  const connection = connector.open(credentials, options);
  const { defaultMapping: mapping } = connector;
  const request = {
    mapping,
    attributes: listAttributes(mapping),
    absences: null,
    last: { people: null, memory: null },
  };
  try {
    return await use(async () => {
      let people = 0;
      for await (const { records } of connection.read(request)) people += records.length;
      return people;
    });
  } finally {
    await connection.close();
  }
}

/** The limits have the form in which each HR system documents them, with smaller numbers. */
describe('a pull from an HR system that limits requests', { concurrency: true }, () => {
  it('waits longer each time if Personio does not say how long, and reads everybody', async () => {
    const limit = limitPersonio({ requests: 1, windowMillis: 3_000 });
    const fake = await startFakeWith(150, limit.fault);
    assert.equal(await withConnection(fake, personio, personioCredentials, (countPeople) => countPeople()), 150);
    assert.equal(limit.served, 2);
    assert(limit.refused > 0 && limit.refused < 4, `refused ${limit.refused} times`);
    await fake.close();
  });

  it('asks HiBob only when the headers allow it, and waits for the time that they name', async () => {
    const limit = limitHibob({ requests: 1, windowMillis: 1_000 });
    const fake = await startFakeHibob(3, limit.fault);
    await withConnection(fake, hibob, hibobCredentials, async (countPeople) => {
      assert.equal(await countPeople(), 3);
      assert.equal(await countPeople(), 3);
      assert.deepEqual([limit.served, limit.refused], [2, 0]);
    });
    // Another pull does not know that none is left.
    assert.equal(await withConnection(fake, hibob, hibobCredentials, (countPeople) => countPeople()), 3);
    assert.deepEqual([limit.served, limit.early], [3, 0]);
    await fake.close();
  });

  it('waits as long as BambooHR asks with 503', async () => {
    const limit = limitBamboohr({ requests: 2, windowMillis: 1_000 });
    const fake = await startFakeBamboohr(350, limit.fault);
    assert.equal(await withConnection(fake, bamboohr, bamboohrCredentials, (countPeople) => countPeople()), 350);
    assert.equal(limit.served, 4);
    assert.equal(limit.early, 0);
    await fake.close();
  });
});

describe('a pull from an HR system whose response is too complex to parse', () => {
  for (const [name, employees] of [
    ['levels', nest(responseLimits.maxDepth)],
    ['members', [Object.fromEntries(Array.from({ length: responseLimits.maxMembers + 1 }, (_, index) => [index, 0]))]],
  ] as const) {
    it(`fails without a second request: ${name}`, async () => {
      let requests = 0;
      const fake = await startFakeHibob(3, () => {
        requests += 1;
        return { status: 200, body: { employees } };
      });
      await withConnection(fake, hibob, hibobCredentials, (countPeople) =>
        assert.rejects(countPeople(), (error: unknown) => {
          assert(error instanceof ConnectorError);
          assert.equal(error.code, 'unexpected-response');
          assert.match(error.message, /HiBob answered with more data at once than the service reads/);
          return true;
        }),
      );
      assert.equal(requests, 1);
      await fake.close();
    });
  }
});

function nest(levels: number): unknown {
  return levels === 0 ? [] : [nest(levels - 1)];
}
