import { openEmbedded } from '../../../src/platform/db/embedded/index.ts';

/**
 * Runs as a separate process for the tests: opens the database, reports it, and keeps it open until the test
 * disconnects or dies.
 */
const [dataDir, role] = process.argv.slice(2);
if (dataDir === undefined || (role !== 'serve' && role !== 'command')) throw new Error('usage: DATA_DIR serve|command');

const disconnected = new Promise((resolve) => process.once('disconnect', resolve));
try {
  const server = await openEmbedded({ dataDir, role });
  process.send?.({ url: server.adminUrl });
  await disconnected;
  await server.stop();
} catch (error) {
  process.send?.({ problem: (error as Error).message });
  await disconnected;
}
