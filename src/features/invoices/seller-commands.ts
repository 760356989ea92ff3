import { readFile } from 'node:fs/promises';
import type { CommandContext } from '../../platform/cli/define.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { inTransaction } from '../command-context.ts';
import { readSeller, type Seller } from './rules/parties.ts';
import { findSeller, insertSeller } from './seller.ts';

/** Returns the seller in a JSON file. Throws with everything that is wrong with it. */
async function readSellerFile(path: string): Promise<Seller> {
  const content = await readFile(path, 'utf8').catch((error: Error) => {
    throw new OperatorError(`The file ${path} cannot be read (${error.message}): check the path.`);
  });
  let parsed: unknown;
  try {
    parsed = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new OperatorError(`The file ${path} is not valid JSON (${(error as Error).message}): correct it.`);
  }
  const read = readSeller(parsed);
  if ('problems' in read) throw new OperatorError(`The file ${path} cannot be used: ${read.problems.join('; ')}.`);
  return read.seller;
}

export async function setOperator({ seller: path }: { seller: string }, { config }: CommandContext) {
  const seller = await readSellerFile(path);
  return inTransaction(config, async (tx, now) => {
    await insertSeller(tx, seller, now);
    return { seller };
  });
}

export const showOperator = (_options: unknown, { config }: CommandContext) =>
  inTransaction(config, async (tx) => ({ seller: (await findSeller(tx)) ?? null }));
