import { sql } from 'kysely';
import { asCompanyId, type CompanyId, ofCompany } from '../db/company-scope.ts';
import type { Db, Tx } from '../db/database.ts';
import { readShards, type SharedRead } from '../db/shards.ts';
import { writeCompany } from '../db/write.ts';
import { type Encryption, nameSecretOf } from './encryption.ts';

interface EncryptedColumn {
  /** Has the columns `company_id` and `id`, or the key named here in place of `id`: its columns, joined by slashes. */
  table: SharedRead;
  column: string;
  key?: readonly string[];
}

/** Every column of encrypted texts, each bound to `nameSecretOf(table, company, id)`. A test compares the list. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'employee_mails', column: 'encrypted_values', key: ['employee_id', 'kind', 'occasion'] },
  { table: 'hr_connectors', column: 'encrypted_credentials', key: ['hr_integration_id'] },
  { table: 'hr_connectors', column: 'encrypted_hint_secret', key: ['hr_integration_id'] },
  { table: 'issuer_settings', column: 'encrypted_token', key: ['company_id'] },
  { table: 'issuer_settings', column: 'encrypted_callback_secret', key: ['company_id'] },
  { table: 'issuer_settings', column: 'encrypted_delivery', key: ['company_id'] },
  { table: 'mails', column: 'encrypted_values', key: ['key'] },
  { table: 'portal_second_factors', column: 'encrypted_secret', key: ['user_id'] },
  { table: 'sso_connections', column: 'encrypted_client_secret', key: ['company_id'] },
  { table: 'webhook_endpoints', column: 'encrypted_secret' },
  { table: 'webhook_endpoints', column: 'encrypted_previous_secret' },
];

interface StoredSecret {
  keys: string[];
  stored: string;
}

interface Rotation {
  table: string;
  column: string;
  secrets: number;
  rotated: number;
  /** Secrets that nobody can decrypt any more. Only if their loss is accepted. */
  lost: number;
}

export interface RotateOptions {
  /** Leaves secrets as they are that cannot be decrypted, instead of refusing. Their owners have to enter them again. */
  acceptLoss: boolean;
}

/** Returns the text encrypted with SECRET, or undefined if it is lost and that is accepted. */
function renew(
  stored: string,
  context: string,
  { encryption, acceptLoss }: RotateOptions & { encryption: Encryption },
) {
  if (acceptLoss && !encryption.isKnown(stored)) return undefined;
  return encryption.encrypt(encryption.decrypt(stored, context), context);
}

async function rotateOfCompany(
  tx: Tx,
  companyId: CompanyId,
  { table, column, key = ['id'] }: EncryptedColumn,
  options: RotateOptions & { encryption: Encryption },
): Promise<Omit<Rotation, 'table' | 'column'>> {
  const keyTexts = sql.join(key.map((name) => sql`${sql.ref(name)}::text`));
  const { rows } = await sql<StoredSecret>`select array[${keyTexts}] as keys, ${sql.ref(column)} as stored
    from ${sql.table(table)} where ${ofCompany(companyId, table)} and ${sql.ref(column)} is not null
    order by 1 for update`.execute(tx);
  const outdated = rows.filter(({ stored }) => !options.encryption.isCurrent(stored));
  let rotated = 0;
  for (const { keys, stored } of outdated) {
    const renewed = renew(stored, nameSecretOf(table, companyId, keys.join('/')), options);
    if (renewed === undefined) continue;
    rotated++;
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${renewed}
      where ${ofCompany(companyId, table)} and (${sql.join(key.map(sql.ref))}) = (${sql.join(keys)})`.execute(tx);
  }
  return { secrets: rows.length, rotated, lost: outdated.length - rotated };
}

/** Encrypts every stored secret with SECRET that is still encrypted with SECRET_PREVIOUS. Can be repeated at any time. */
export async function rotateSecrets(db: Db, encryption: Encryption, options: RotateOptions): Promise<Rotation[]> {
  const companies = await db.selectFrom('companies').select('id').orderBy('id').execute();
  const rotations = encryptedColumns.map(({ table, column }) => ({ table, column, secrets: 0, rotated: 0, lost: 0 }));
  for (const { id } of companies) {
    const companyId = asCompanyId(id);
    await writeCompany(db, companyId, async (tx) => {
      for (const [index, column] of encryptedColumns.entries()) {
        const { secrets, rotated, lost } = await rotateOfCompany(tx, companyId, column, { encryption, ...options });
        const sum = rotations[index];
        if (sum === undefined) continue;
        sum.secrets += secrets;
        sum.rotated += rotated;
        sum.lost += lost;
      }
    });
  }
  return rotations;
}

/** Returns how many secrets of each column were encrypted with neither SECRET nor SECRET_PREVIOUS, if there are any. */
export async function findForeignSecrets(
  db: Db,
  encryption: Encryption,
): Promise<{ table: string; column: string; secrets: number }[]> {
  const found: { table: string; column: string; secrets: number }[] = [];
  for (const { table, column } of encryptedColumns) {
    const { results } = await readShards(
      db,
      table,
      (name) => `select coalesce(json_agg(json_build_array(s.start, s.secrets)), '[]') from (
        select substring(${column} from '^[^.]*[.][^.]*[.]') as start, count(*) as secrets
        from ${name} where ${column} is not null group by 1) s`,
    );
    const starts = results.flatMap((result) => JSON.parse(result) as [string | null, number][]);
    const secrets = starts.reduce((sum, [start, count]) => sum + (encryption.isKnown(start ?? '') ? 0 : count), 0);
    if (secrets > 0) found.push({ table, column, secrets });
  }
  return found;
}
