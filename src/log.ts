import { pino } from 'pino';
import type { Config } from './config.ts';

/** JSON lines on stderr; stdout is kept for what the program has to say to the person who started it. */
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
    // Lines that come together are written together, none later than this: a write for each is a tenth of a request's work.
    pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 100 }),
  );

/** Messages of the database may quote values; its code and where it happened say enough. */
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
