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

/** Functions of Citus that report a transaction which a node could not take part in, and nothing else. */
const lostNodeRoutines = new Set(['MarkRemoteTransactionFailed', 'ErrorIfPostCommitFailedShardPlacements']);

/** What libpq, with which the coordinator connects to the nodes, says about a lost connection. */
const lostNodeTexts = [
  'server closed the connection unexpectedly',
  'connection not open',
  'no connection to the server',
  'could not connect to server',
  'connection to server at',
  'could not receive data from server',
  'could not send data to server',
  'SSL connection has been closed unexpectedly',
  'SSL SYSCALL error',
  'Connection refused',
  'Connection reset by peer',
  'Connection timed out',
  'terminating connection due to administrator command',
];
/** A text counts where libpq puts it: at the beginning of a line or after a label, and not where it is quoted. */
const lostNodeMessage = new RegExp(`(^|\\n|: +)(${lostNodeTexts.join('|')})`);

/**
 * Returns whether the coordinator of a Citus cluster has lost a node. A response without SQLSTATE, as libpq makes up
 * for a lost connection, becomes XX000, the code of internal errors. Errors that a node has really reported come from
 * the same routine, so its message decides too.
 */
function isLostNode({ code, routine, message }: { code?: unknown; routine?: unknown; message: string }): boolean {
  if (code !== 'XX000' || typeof routine !== 'string') return false;
  if (lostNodeRoutines.has(routine)) return true;
  const isOfConnection = routine === 'ReportResultError' || routine === 'ReportConnectionError';
  return isOfConnection && lostNodeMessage.test(message);
}

/** Returns whether a disk is full: that of the database server, or one of this machine. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (isDiskFull(error.cause)) return true;
  return code === '53100' || code === 'ENOSPC' || code === 'EDQUOT' || /No space left on device/i.test(error.message);
}

/** Says which disk is full. The document store wraps the error of the file system. */
export function describeDiskFull(error: unknown): string {
  const { cause, code, message } = error as { cause?: unknown; code?: unknown; message: string };
  if (isDiskFull(cause)) return describeDiskFull(cause);
  return `${code === '53100' ? 'The disk of the database server' : 'The disk'} is full: ${message}`;
}

/** Returns whether the database is at fault, so that repeating the request later makes sense. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)) return true;
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  if (isStaleStatement(error) || isLostNode(error)) return true;
  if (severity === 'FATAL' || severity === 'PANIC') return true;
  if (
    typeof code === 'string' &&
    (networkCodes.has(code) || (code.length === 5 && sqlStateClasses.has(code.slice(0, 2))))
  ) {
    return true;
  }
  return messages.some((message) => error.message.includes(message));
}

/** Returns whether the server itself reported an outage, as of one Citus node. Others may be reachable. */
export const isNodeUnavailable = (error: unknown): error is Error =>
  isDatabaseUnavailable(error) && (error as { severity?: unknown }).severity === 'ERROR';

export const createLostNodeError = (): Error =>
  Object.assign(new Error('A node of the database cluster does not respond, so its companies are missing'), {
    code: '08006',
    severity: 'ERROR',
  });
