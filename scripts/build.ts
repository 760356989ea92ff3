import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../src/platform/config/operator-error.ts';
import { arePagesCurrent, builtPages, describeBuildError, ensurePages, workspaces } from '../src/portal/build.ts';
import { ensureClient } from './build-client.ts';

/**
 * Builds the pages of the portal and of employees, and the package of the client library if their sources have changed. With --if-possible, an installation without the bundler or
 * the sources is no failure: `npm ci` runs this for every installation.
 */
const isOptional = process.argv.includes('--if-possible');

function findObstacle(): string | undefined {
  const root = join(import.meta.dirname, '..');
  const missing = workspaces.find((name) => !existsSync(join(root, name, 'src')));
  if (missing !== undefined) return `${missing}/src is missing. Use a full checkout.`;
  if (!existsSync(join(root, 'node_modules/vite'))) {
    return 'Vite is not installed. Run `npm ci --include=dev`, which also builds them.';
  }
  return undefined;
}

async function main(): Promise<number> {
  const obstacle = findObstacle();
  if (obstacle === undefined) await ensureClient();
  const areCurrent = await Promise.all(workspaces.map(arePagesCurrent));
  const outdated = workspaces.filter((_, index) => !areCurrent[index]);
  for (const name of workspaces.filter((one) => !outdated.includes(one))) {
    process.stdout.write(`Already built: ${builtPages[name]}\n`);
  }
  if (outdated.length === 0) return 0;
  if (obstacle !== undefined) {
    process.stderr.write(`The pages of the portal are not built: ${obstacle}\n`);
    return isOptional ? 0 : 1;
  }
  try {
    for (const name of outdated) {
      await ensurePages(name);
      process.stdout.write(`Built: ${builtPages[name]}\n`);
    }
    return 0;
  } catch (error) {
    const reason = error instanceof OperatorError ? error.message : describeBuildError(error);
    process.stderr.write(`The pages of the portal could not be built. ${reason}\n`);
    return 1;
  }
}

process.exitCode = await main();
