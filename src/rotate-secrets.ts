import { sql } from 'kysely';
import { asCompanyId, type CompanyId, ofCompany } from './db/company-scope.ts';
import type { Db, Tx } from './db/database.ts';
import { writeCompany } from './db/write.ts';
import { type Encryption, nameSecretOf } from './encryption.ts';

interface EncryptedColumn {
  /** Has the columns `company_id` and `id`, or the key named here in place of `id`. */
  table: string;
  column: string;
  key?: string;
}

/**
 * Every column that contains encrypted texts. Their names start with `encrypted_`: a test compares this list with the
 * database. A text is bound to `nameSecretOf(table, company, id)`.
 */
export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'hr_connectors', column: 'encrypted_credentials', key: 'hr_integration_id' },
  { table: 'mails', column: 'encrypted_values', key: 'key' },
  { table: 'portal_second_factors', column: 'encrypted_secret', key: 'user_id' },
  { table: 'sso_connections', column: 'encrypted_client_secret', key: 'company_id' },
  { table: 'webhook_endpoints', column: 'encrypted_secret' },
  { table: 'webhook_endpoints', column: 'encrypted_previous_secret' },
];

interface StoredSecret {
  id: number | string;
  stored: string;
}

interface Rotation {
  table: string;
  column: string;
  secrets: number;
  rotated: number;
}

async function rotateOfCompany(
  tx: Tx,
  companyId: CompanyId,
  { table, column, key = 'id' }: EncryptedColumn,
  encryption: Encryption,
): Promise<Omit<Rotation, 'table' | 'column'>> {
  const { rows } = await sql<StoredSecret>`select ${sql.ref(key)} as id, ${sql.ref(column)} as stored
    from ${sql.table(table)} where ${ofCompany(companyId, table)} and ${sql.ref(column)} is not null
    order by 1 for update`.execute(tx);
  const outdated = rows.filter(({ stored }) => !encryption.isCurrent(stored));
  for (const { id, stored } of outdated) {
    const context = nameSecretOf(table, companyId, id);
    const renewed = encryption.encrypt(encryption.decrypt(stored, context), context);
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${renewed}
      where ${ofCompany(companyId, table)} and ${sql.ref(key)} = ${id}`.execute(tx);
  }
  return { secrets: rows.length, rotated: outdated.length };
}

/** Encrypts every stored secret with SECRET that is still encrypted with SECRET_PREVIOUS. Can be repeated at any time. */
export async function rotateSecrets(db: Db, encryption: Encryption): Promise<Rotation[]> {
  const companies = await db.selectFrom('companies').select('id').orderBy('id').execute();
  const rotations = encryptedColumns.map(({ table, column }) => ({ table, column, secrets: 0, rotated: 0 }));
  for (const { id } of companies) {
    const companyId = asCompanyId(id);
    await writeCompany(db, companyId, async (tx) => {
      for (const [index, column] of encryptedColumns.entries()) {
        const { secrets, rotated } = await rotateOfCompany(tx, companyId, column, encryption);
        const sum = rotations[index];
        if (sum === undefined) continue;
        sum.secrets += secrets;
        sum.rotated += rotated;
      }
    });
  }
  return rotations;
}
