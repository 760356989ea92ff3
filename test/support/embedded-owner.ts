import { openEmbedded } from '../../src/platform/db/embedded/index.ts';

/** Runs as a process of its own: opens the database, reports it, and stops it when its parent disconnects. */
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
