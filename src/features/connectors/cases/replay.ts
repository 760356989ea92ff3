import { formatMessage } from '../../../domain/messages/message.ts';
import { OperatorError } from '../../../platform/config/operator-error.ts';
import { type FakeRequest, type FakeServer, startFakeServer } from '../fake/fake-server.ts';
import { ConnectorError } from '../providers/connector.ts';
import { getConnector } from '../providers/index.ts';
import { checkRules } from '../pull/check-rules.ts';
import { openNewConnection } from '../pull/open-connection.ts';
import { readPulledRoster } from '../pull/read-roster.ts';
import type { CaseExchange, CaseOutcome, PullCase } from './contract.ts';
import { caseOrigin, caseTokenOrigin } from './recorder.ts';

const maxMillis = 120_000;
const maxEntries = 250_000;
/** A shorter wait would only delay the replay. A longer one fails a pull. */
const longWaitSeconds = 90;

export interface ReplayedPull {
  kind: 'pull';
  provider: string;
  isComplete: boolean;
  recorded: CaseOutcome;
  /** What the connector of this version makes of the same responses. */
  replayed: CaseOutcome & { detail: string | null; pages: number; entries: number };
  isSame: boolean;
  requests: { recorded: number; answered: number; unknown: string[] };
}

/** Days differ from those of the case: months are added to a day that was moved. */
const keyOf = (method: string, path: string) => `${method} ${path.split('?')[0]?.replaceAll(/\d{4}-\d\d-\d\d/g, '*')}`;

export interface CaseServer extends FakeServer {
  answered(): number;
  unknown: string[];
}

/** Serves the responses of a case on loopback, each once, in the order of the requests for the same path. */
export async function startCaseServer(exchanges: readonly CaseExchange[]): Promise<CaseServer> {
  const waiting = new Map<string, CaseExchange[]>();
  for (const one of exchanges) waiting.getOrInsertComputed(keyOf(one.method, one.path), () => []).push(one);
  const unknown: string[] = [];
  let [answered, origin] = [0, ''];
  const rebase = (text: string) => text.replaceAll(caseOrigin, origin).replaceAll(caseTokenOrigin, origin);

  const take = ({ method, path }: Pick<FakeRequest, 'method' | 'path'>) => waiting.get(keyOf(method, path))?.shift();

  function present({ status = 500, headers = {}, body, text }: CaseExchange) {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        const isWait = name === 'retry-after' || name === 'x-ratelimit-reset';
        return [name, isWait && Number(value) <= longWaitSeconds ? '0' : rebase(value)];
      }),
    );
    return { status, headers: sent, body: text ?? JSON.parse(rebase(JSON.stringify(body ?? null))) };
  }

  const server = await startFakeServer({
    answer: () => ({ status: 501 }),
    fault(request) {
      const exchange = take(request);
      if (exchange === undefined) {
        if (unknown.length < 20) unknown.push(`${request.method} ${request.path}`);
        return { status: 501, body: { error: 'The case has no further response for this request.' } };
      }
      answered += 1;
      return exchange.status === undefined ? 'cut' : present(exchange);
    },
  });
  origin = server.origin;
  return { ...server, unknown, answered: () => answered };
}

const encryption = {
  encrypt: () => '',
  decrypt: () => '',
  isCurrent: () => true,
  isKnown: () => true,
};

/** Returns a credential for the server of the case. Whatever address a file names, nothing is sent there. */
function relocate(name: string, value: string, origin: string): string {
  if (name !== 'baseUrl' && name !== 'tokenUrl') return value;
  return `${origin}${URL.canParse(value) ? new URL(value).pathname : '/'}`;
}

/** Runs the connector of a case against its responses. Changes nothing, and needs no database. */
export async function replayPull(file: PullCase): Promise<ReplayedPull> {
  const { provider, timeZone, exchanges, outcome: recorded } = file;
  if (provider === 'sftp-csv') throw new OperatorError('Files by SFTP have no cases. Give the case of an API.');
  const connector = getConnector(provider);
  const mapping = await checkRules(file.mapping, connector.defaultMapping);
  if (Array.isArray(mapping)) throw new OperatorError('The mapping of the case is not valid. Save the case again.');
  const server = await startCaseServer(exchanges);
  const credentials = Object.fromEntries(
    Object.entries(file.credentials).map(([name, value]) => [name, relocate(name, String(value), server.origin)]),
  );
  const progress = { pages: 0, people: 0 };
  const outcome = (code: CaseOutcome['code'], error?: ConnectorError, entries = 0) => ({
    code,
    reason: error?.explanation.key ?? null,
    people: progress.people,
    pages: progress.pages,
    detail: error === undefined ? null : formatMessage(error.explanation),
    entries,
  });
  const read = async () => {
    const signal = AbortSignal.timeout(maxMillis);
    const origins = connector.origin === null ? {} : { [provider]: server.origin };
    const deps = { encryption, origins, allowsPrivateHosts: true, hasDemo: false, retryDelayMillis: 0 };
    const connection = await openNewConnection(deps, { provider, credentials, company: { timeZone }, signal });
    try {
      const { roster, people } = await readPulledRoster(connection, {
        title: connector.title,
        mapping,
        last: { people: file.lastPeople, memory: null },
        today: Temporal.PlainDate.from(file.today),
        timeZone,
        maxEntries,
        onProgress: ({ pages, people: count }) => Object.assign(progress, { pages, people: count }),
      });
      progress.people = people;
      return outcome(null, undefined, roster.entryCount);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      return outcome(error.code, error);
    } finally {
      await connection.close();
    }
  };
  try {
    const replayed = await read();
    return {
      kind: 'pull',
      provider,
      isComplete: file.isComplete,
      recorded,
      replayed,
      isSame: replayed.code === recorded.code && replayed.reason === recorded.reason,
      requests: { recorded: exchanges.length, answered: server.answered(), unknown: server.unknown },
    };
  } finally {
    await server.close();
  }
}
