import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../src/platform/config/operator-error.ts';
import { arePagesCurrent, builtPages, describeBuildError, ensurePages } from '../src/portal/build.ts';
import { ensureClient } from './build-client.ts';

/**
 * Builds the portal's pages and the package of the client library if their sources have changed. With --if-possible, an installation without the bundler or
 * the sources is no failure: `npm ci` runs this for every installation.
 */
const isOptional = process.argv.includes('--if-possible');

function findObstacle(): string | undefined {
  const root = join(import.meta.dirname, '..');
  if (!existsSync(join(root, 'portal/src'))) return 'portal/src is missing. Use a full checkout.';
  if (!existsSync(join(root, 'node_modules/vite'))) {
    return 'Vite is not installed. Run `npm ci --include=dev`, which also builds them.';
  }
  return undefined;
}

async function main(): Promise<number> {
  const obstacle = findObstacle();
  if (obstacle === undefined) await ensureClient();
  if (await arePagesCurrent()) {
    process.stdout.write(`Already built: ${builtPages}\n`);
    return 0;
  }
  if (obstacle !== undefined) {
    process.stderr.write(`The pages of the portal are not built: ${obstacle}\n`);
    return isOptional ? 0 : 1;
  }
  try {
    await ensurePages();
    process.stdout.write(`Built: ${builtPages}\n`);
    return 0;
  } catch (error) {
    const reason = error instanceof OperatorError ? error.message : describeBuildError(error);
    process.stderr.write(`The pages of the portal could not be built. ${reason}\n`);
    return 1;
  }
}

process.exitCode = await main();
