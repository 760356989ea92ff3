import { createMessage } from '../../../domain/messages/message.ts';
import type { Connection, ConnectionProblem, Description } from '../providers/connector.ts';
import { ConnectorError } from '../providers/connector-error.ts';
import type { FailureCode } from '../rules/failure.ts';
import type { Mapping } from '../rules/mapping.ts';

export interface CheckedConnection {
  problems: (Omit<ConnectionProblem, 'code'> & { code: ConnectionProblem['code'] | FailureCode })[];
  /** Empty if the HR system could not be asked. */
  description: Description;
}

const nothing: Description = { fields: [], absenceTypes: [] };

/** Returns the failure as a problem. Throws any other error. */
function toProblem(error: unknown): CheckedConnection['problems'][number] {
  if (error instanceof ConnectorError) return { code: error.code, what: null, message: error.explanation };
  if ((error as Error).name !== 'TimeoutError') throw error;
  return { code: 'unreachable', what: null, message: createMessage('connector-timeout') };
}

/** Tests a connection: returns everything that is missing, and what the HR system offers. Closes the connection. */
export async function checkConnection(open: () => Promise<Connection>, mapping: Mapping): Promise<CheckedConnection> {
  let connection: Connection | undefined;
  let problems: CheckedConnection['problems'] = [];
  try {
    connection = await open();
    problems = await connection.check(mapping);
    return { problems, description: await connection.describe() };
  } catch (error) {
    // Without the permission to read employees, their attributes cannot be described either.
    return { problems: problems.length > 0 ? problems : [toProblem(error)], description: nothing };
  } finally {
    await connection?.close();
  }
}
