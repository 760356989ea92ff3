import { builtPages, ensurePages } from '../src/portal/build.ts';

/** Builds the portal's pages manually. `npm start` builds them automatically when their sources have changed. */
const outcome = await ensurePages();
process.stdout.write(`${outcome === 'built' ? 'Built' : 'Already built from these sources'}: ${builtPages}\n`);
