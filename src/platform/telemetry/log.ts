import { pino } from 'pino';
import type { Config } from '../config/config.ts';
import { readVersion } from '../config/version.ts';
import { openTracing } from './tracing/open.ts';
import type { Tracing } from './tracing/tracing.ts';

const batchBytes = 65_536;

/**
 * Batches log lines and flushes them within a tenth of a second. One write per line would take as long as answering a
 * request from memory, and one write per 4 KB a tenth of it. The batch is a list of buffers: the length of a batch of
 * strings would be counted again for each line (sonic-boom 4.2).
 */
function openDestination() {
  const destination = pino.destination({
    dest: 2,
    sync: false,
    minLength: batchBytes,
    maxWrite: 2 * batchBytes,
    periodicFlush: 100,
    contentMode: 'buffer',
  });
  const write = destination.write.bind(destination) as unknown as (bytes: Buffer) => boolean;
  destination.write = (line) => write(Buffer.from(line));
  return destination;
}

/** Returns a function that returns the time of a log line. A busy process writes many lines within a millisecond. */
function createTimestamps(): () => string {
  let at = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now === at) return text;
    at = now;
    text = `,"time":"${new Date(now).toISOString()}"`;
    return text;
  };
}

const untraced = {};

/** Adds the ids of the current trace to each line. Most traces are not kept, and their lines are not copied for it. */
const traceFields = (tracing: Tracing) => ({
  mixin: () => tracing.logFields() ?? untraced,
  mixinMergeStrategy: (fields: object, ids: object) => (ids === untraced ? fields : Object.assign(ids, fields)),
});

/** Writes JSON lines to stderr. stdout is reserved for the output to the operator who started the program. */
export const createLog = ({ logLevel, environment }: Config, tracing?: Tracing) =>
  pino(
    {
      level: logLevel,
      base: { environment },
      timestamp: createTimestamps(),
      formatters: { level: (label) => ({ level: label }) },
      redact: ['req.headers.authorization', 'req.headers.cookie', 'password', 'secret'],
      serializers: { err: describeError },
      ...(tracing === undefined ? {} : traceFields(tracing)),
    },
    openDestination(),
  );

export async function openLog(config: Config) {
  const tracing = await openTracing({
    settings: config.tracing,
    environment: config.environment,
    version: readVersion(),
    onFailure: (problem) => log.warn(problem, 'traces cannot be exported, spans are dropped'),
    onRecovery: (problem) => log.info(problem, 'traces are exported again'),
  });
  const log = createLog(config, tracing);
  return { log, tracing };
}

/** Describes an error without the database's message, which may quote values. Its code and stack are enough. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, severity } = error as { code?: string; severity?: string };
  const message = severity === undefined ? error.message : `database error ${code}`;
  const stack = error.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 10);
  return { type: error.name, message, code, stack };
}
