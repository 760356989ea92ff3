import { builtPages, ensurePages } from '../src/portal/build.ts';

/** Builds the portal's pages by hand; `npm start` does it by itself when their sources have changed. */
const outcome = await ensurePages();
process.stdout.write(`${outcome === 'built' ? 'Built' : 'Already built from these sources'}: ${builtPages}\n`);
