import assert from 'node:assert/strict';
import type { Provider } from '../../src/domain/enums.ts';
import type { PullCase } from '../../src/features/connectors/cases/contract.ts';
import { ConnectorError, type Credentials } from '../../src/features/connectors/providers/connector.ts';
import { getConnector } from '../../src/features/connectors/providers/index.ts';
import { openNewConnection } from '../../src/features/connectors/pull/open-connection.ts';
import { readPulledRoster } from '../../src/features/connectors/pull/read-roster.ts';
import type { Mapping } from '../../src/features/connectors/rules/mapping.ts';
import { createEncryption } from '../../src/platform/crypto/encryption.ts';

export const today = '2026-11-16';
const timeZone = 'Europe/Berlin';

/** Pulls as a worker does, and returns what becomes a case. */
export async function recordPull(given: {
  provider: Provider;
  origin: string;
  credentials: Credentials;
  mapping?: Mapping;
}): Promise<PullCase> {
  const { provider, origin, credentials } = given;
  const connector = getConnector(provider);
  const mapping = given.mapping ?? connector.defaultMapping;
  const connection = await openNewConnection(
    {
      encryption: createEncryption('x'.repeat(32)),
      origins: provider === 'http-json' ? {} : { [provider]: origin },
      allowsPrivateHosts: true,
      hasDemo: false,
      retryDelayMillis: 0,
    },
    { provider, credentials, company: { timeZone }, signal: AbortSignal.timeout(60_000), recordedMapping: mapping },
  );
  const outcome = { code: null, reason: null, people: 0 } as PullCase['outcome'];
  try {
    await readPulledRoster(connection, {
      title: connector.title,
      mapping,
      last: { people: null, memory: null },
      today: Temporal.PlainDate.from(today),
      timeZone,
      maxEntries: 1_000,
      onProgress: ({ people }) => {
        outcome.people = people;
      },
    });
  } catch (error) {
    assert(error instanceof ConnectorError, String(error));
    Object.assign(outcome, { code: error.code, reason: error.explanation.key });
  }
  const recording = await connection.takeRecording?.(today);
  await connection.close();
  assert(recording !== undefined);
  return {
    format: 'transit-case',
    version: 1,
    kind: 'pull',
    provider,
    lastPeople: null,
    timeZone,
    outcome,
    ...recording,
  };
}
