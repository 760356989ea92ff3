import { rm } from 'node:fs/promises';
import { openEmbedded } from '../../src/platform/db/embedded/index.ts';
import { settings } from '../../src/platform/db/embedded/launch.ts';

/**
 * Runs as a process of its own: opens the database, reports it, and stops it when its parent disconnects or dies, even
 * if that was killed. `removed`: the folder is deleted then. More settings of PostgreSQL follow as JSON.
 */
const [dataDir, role, after, more] = process.argv.slice(2);
if (dataDir === undefined || (role !== 'serve' && role !== 'command')) throw new Error('usage: DATA_DIR serve|command');
// The parent decides when the database ends. A terminal sends its signals to both.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const disconnected = new Promise((resolve) => process.once('disconnect', resolve));
try {
  Object.assign(settings, JSON.parse(more ?? '{}'));
  const server = await openEmbedded({ dataDir, role });
  process.send?.({ url: server.adminUrl });
  await disconnected;
  await server.stop();
} catch (error) {
  process.send?.({ problem: (error as Error).message });
  await disconnected;
} finally {
  if (after === 'removed') await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
