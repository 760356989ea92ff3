import type { CommandContext } from '../platform/cli/define.ts';
import { OperatorError } from '../platform/config/operator-error.ts';
import { distributeAllTables } from '../platform/db/citus/distribute.ts';
import { connectDatabase } from '../platform/db/database.ts';
import { migrate } from '../platform/db/migrate.ts';
import { findRole } from '../platform/db/privileges.ts';
import { createLog } from '../platform/telemetry/log.ts';

/** Copying a large table takes hours. A connection that is lost meanwhile is noticed sooner. */
const statementTimeoutMillis = 24 * 60 * 60_000;

/** Reports each table on stderr, because a large one takes as long as copying all of its rows. */
export async function distribute(_options: unknown, { config, stderr }: CommandContext) {
  const url = config.databaseOwnerUrl ?? config.databaseUrl;
  if (url === undefined) {
    throw new OperatorError(
      'The embedded database cannot be distributed. Set DATABASE_URL to the coordinator of a Citus cluster.',
    );
  }
  const log = createLog(config);
  const { db, close } = connectDatabase({
    url,
    max: 3,
    applicationName: 'transit command',
    streaming: true,
    statementTimeoutMillis,
  });
  try {
    const role = await findRole(db);
    if (!role.isOwner) {
      throw new OperatorError(
        `The role ${role.name} does not own the tables. Set DATABASE_OWNER_URL to a connection of their owner.`,
      );
    }
    await migrate(db, { log });
    const moved = await distributeAllTables(db, ({ table, position, total }) =>
      stderr.write(`${position}/${total} ${table}\n`),
    );
    return { distributed: moved };
  } finally {
    await close();
    log.flush();
  }
}
