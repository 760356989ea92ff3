const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
]);

/** Classes of SQLSTATE: connection lost, too few resources, operator intervention (which includes time-outs). */
const sqlStateClasses = new Set(['08', '53', '57']);

/**
 * Whether the server refuses to repeat a prepared statement because its result would have other columns than before:
 * another process has migrated meanwhile. It fails for ever on this connection and works on a new one. The routine tells
 * it from everything else that PostgreSQL does not support; unlike the message, it is never translated.
 */
export function isStaleStatement(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/** Messages of pg's own errors, which carry no code. */
const messages = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
];

/** Whether the database is at fault, so that repeating the request later makes sense. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)) return true;
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  if (isStaleStatement(error)) return true;
  // The server has refused or ended the connection.
  if (severity === 'FATAL' || severity === 'PANIC') return true;
  if (
    typeof code === 'string' &&
    (networkCodes.has(code) || (code.length === 5 && sqlStateClasses.has(code.slice(0, 2))))
  ) {
    return true;
  }
  return messages.some((message) => error.message.includes(message));
}
