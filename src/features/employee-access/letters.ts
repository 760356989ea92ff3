import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { createTypedSecret, readTyped } from '../../platform/crypto/company-token.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { countAttempt } from '../accounts/throttle.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { sameHash } from '../keys/credentials.ts';
import { countLetterAttempt, insertLetterCodes, listPrintedHrIds, lockEmployees } from './store.ts';

/** Two groups of five characters: 50 bits. */
const shape = { groups: 2, size: 5 };
/**
 * A code is short, so its hash is made slow: who has stolen the table needs years for one instead of hours. No more
 * than a millisecond, because letters are made by the thousand.
 */
const iterations = 2_000;
const derive = promisify(pbkdf2);

/** Case, spaces and dashes do not matter where people type. */
const withoutGaps = (text: string) => text.replaceAll(/[\s\p{Dash}]/gu, '');
/** That of no letter. */
const noHrKey = '';
const hrKeyOf = (hrId: string) => withoutGaps(hrId).toUpperCase() || hrId;
const hashCode = (code: string, salt: Buffer) => derive(readTyped(withoutGaps(code)), salt, iterations, 32, 'sha256');

export interface LetterCode {
  employeeId: number;
  /** What the letter shows beside the code. Of an employee without an HR id, the id here. */
  hrId: string;
  /** Such as `7Q4M0-ZKD91`. Only its hash is stored. */
  code: string;
}

/**
 * Creates the codes of letters to employees. Each works once, for 60 days, and replaces that of an earlier letter. Employees
 * who were removed get none.
 */
export async function createLetterCodes(
  tx: Tx,
  companyId: CompanyId,
  employeeIds: readonly number[],
  by: By,
): Promise<LetterCode[]> {
  const ids = await lockEmployees(tx, companyId, employeeIds);
  if (ids.length === 0) return [];
  const hrIds = await listPrintedHrIds(tx, companyId, ids);
  const letters = ids.map((employeeId) => ({
    ...{ employeeId, hrId: hrIds.get(employeeId) ?? String(employeeId), code: createTypedSecret(shape) },
  }));
  const stored = letters.map(async ({ employeeId, hrId, code }) => {
    const salt = randomBytes(16);
    return { employeeId, hrKey: hrKeyOf(hrId), salt, codeHash: await hashCode(code, salt) };
  });
  await insertLetterCodes(tx, companyId, await Promise.all(stored));
  await insertAudit(tx, companyId, { action: 'letter-codes.create', detail: { employees: ids.length }, ...by });
  return letters;
}

/**
 * Returns whose letter has this code, after it has counted the attempt. `tried`: whose letters the attempt counts against. The
 * same statements and hashes whether or not there is such a company, employee or letter.
 */
export async function checkLetterCode(
  db: Db,
  { companyId, hrId, code }: { companyId: CompanyId; hrId: string; code: string },
) {
  const hrKey = hrKeyOf(hrId);
  const letters = await countLetterAttempt(db, companyId, hrKey);
  // Two statements either way, one of which writes a row.
  if (letters.length === 0) {
    await countAttempt(db, `letter ${companyId} ${hrKey}`, Number.POSITIVE_INFINITY);
    await hashCode(code, randomBytes(16));
  } else await countLetterAttempt(db, companyId, noHrKey);
  const checked = letters.map(async (letter) => sameHash(await hashCode(code, letter.salt), letter.codeHash));
  const results = await Promise.all(checked);
  return { found: letters.find((_, index) => results[index]), tried: letters.map(({ employeeId }) => employeeId) };
}
