import { pino } from 'pino';
import type { Config } from './config.ts';

/** Writes JSON lines to stderr. stdout is reserved for the output to the operator who started the program. */
export const createLog = ({ logLevel, environment }: Config) =>
  pino(
    {
      level: logLevel,
      base: { environment },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['req.headers.authorization', 'req.headers.cookie', 'password', 'secret'],
      serializers: { err: describeError },
    },
    // Batches log lines and flushes them within this time. One write per line would take a tenth of the work of a
    // request.
    pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 100 }),
  );

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
