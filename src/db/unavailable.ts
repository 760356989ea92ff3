const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
]);

/** SQLSTATE classes: connection lost, insufficient resources, operator intervention (which includes timeouts). */
const sqlStateClasses = new Set(['08', '53', '57']);

/**
 * Returns whether the server refuses to repeat a prepared statement because its result would have different columns:
 * another process has migrated meanwhile. The statement fails forever on this connection and works on a new one. The
 * routine distinguishes this error from all else that PostgreSQL does not support. Unlike the message, it is never
 * translated.
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

/** Returns whether the database is at fault, so that repeating the request later makes sense. */
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
