import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDatabaseUnavailable } from '../../../src/platform/db/unavailable.ts';
import { toApiError } from '../../../src/platform/http/problem.ts';

const refused = 'Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?';
const closed =
  'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally\n\tbefore or while processing the request.\ninvalid socket';
const where = 'while executing command on 127.0.0.1:54332';

/**
 * Recorded on a Citus 13.2 cluster whose node was killed, or whose connections were ended, in each of these situations.
 */
const lostNodes = {
  'a statement to a dead node': {
    code: '08006',
    message: `connection to the remote node postgres@127.0.0.1:54332 failed with the following error: ${refused}`,
    routine: 'ReportConnectionError',
  },
  'a statement in progress': {
    code: '08006',
    message:
      'connection to the remote node postgres@127.0.0.1:54332 failed with the following error: connection not open',
    routine: 'ReportConnectionError',
  },
  'a commit on one shard': {
    code: 'XX000',
    message: 'could not commit transaction for shard 102016 on at least one active node',
    routine: 'ErrorIfPostCommitFailedShardPlacements',
  },
  'a commit in two phases': { code: 'XX000', message: closed, where, routine: 'ReportResultError' },
  'a critical connection': {
    code: 'XX000',
    message: 'failure on connection marked as essential: 127.0.0.1:54332',
    routine: 'MarkRemoteTransactionFailed',
  },
  'an ended connection without SQLSTATE': {
    code: 'XX000',
    message: `FATAL:  terminating connection due to administrator command\n${closed}`,
    where,
    routine: 'ReportResultError',
  },
  'an ended connection': {
    code: '57P01',
    message: 'terminating connection due to administrator command',
    where,
    routine: 'ReportResultError',
  },
};

const internalErrors = {
  'of the coordinator': { code: 'XX000', message: 'cache lookup failed for relation 16384', routine: 'relation_open' },
  'of a node': {
    code: 'XX000',
    message: 'could not find tuple for statistics object 4711',
    where,
    routine: 'ReportResultError',
  },
  'that quotes another one': {
    code: 'XX000',
    message: 'unexpected state after "server closed the connection unexpectedly"',
    where,
    routine: 'ReportResultError',
  },
  'of a function that raises the text of an outage': {
    code: 'XX000',
    message: closed,
    routine: 'exec_stmt_raise',
  },
  'a corrupted index': { code: 'XX002', message: 'index "employees_pkey" contains corrupted page', where },
};

const asError = ({ message, ...fields }: { message: string }) =>
  Object.assign(new Error(message), { severity: 'ERROR', ...fields });

describe('A lost node of a Citus cluster', () => {
  for (const [situation, fields] of Object.entries(lostNodes)) {
    it(`is an outage for ${situation}`, () => {
      const error = asError(fields);
      assert.equal(isDatabaseUnavailable(error), true);
      const { code, headers } = toApiError(error as never);
      assert.equal(code, 'unavailable');
      assert.ok(Number(headers?.['retry-after']) > 0);
    });
  }
});

describe('An internal error', () => {
  for (const [situation, fields] of Object.entries(internalErrors)) {
    it(`is no outage: ${situation}`, () => {
      assert.equal(isDatabaseUnavailable(asError(fields)), false);
      assert.equal(toApiError(asError(fields) as never).code, 'internal-error');
    });
  }
});
