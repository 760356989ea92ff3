import assert from 'node:assert/strict';
import pg from 'pg';
import { roles } from './connections.ts';

/**
 * Notes in every test database which tables of companies a transaction of the service writes, and whether it counts the
 * change (src/platform/db/write.ts). A response kept by a process would otherwise outlive a change.
 */

/** When a key was last used is no change: no response of the API shows it. */
const uncounted: Readonly<Record<string, string>> = { api_keys: 'last_used_at' };

/** No operation of the API shows mails, what SCIM stores, the access of employees, the state of webhooks and issuers, the log of requests, or their keys. */
const unshown = [
  'api_key_usage',
  'api_request_batches',
  'employee_access_links',
  'employee_letter_codes',
  'employee_sessions',
  'idempotency_keys',
  'integration_cases',
  'integration_case_exchanges',
  'issuer_settings',
  'mails',
  'scim_connections',
  'scim_users',
  'scim_groups',
  'scim_group_members',
  'employee_mails',
  'webhook_endpoints',
  'webhook_deliveries',
  'webhook_attempts',
];

/** Creates the triggers in the template, from which every test database is copied. */
export async function watchChanges(templateUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: templateUrl });
  await client.connect();
  try {
    await client.query(`
      create schema watch;
      create unlogged table watch.writes (transaction bigint, written text, primary key (transaction, written));
      create function watch.note() returns trigger language plpgsql security definer as $$
      begin
        if session_user = '${roles.service}' then
          insert into watch.writes values (txid_current(), tg_argv[0]) on conflict do nothing;
        end if;
        return null;
      end $$`);
    const { rows } = await client.query<{ table_name: string; columns: string[] }>(
      `
      select table_name, array_agg(column_name::text) as columns from information_schema.columns
      where table_schema = 'public' and table_name <> all($1) group by table_name having 'company_id' = any(array_agg(column_name::text))`,
      [unshown],
    );
    for (const { table_name, columns } of rows) {
      const counted = columns.filter((column) => column !== uncounted[table_name]).join(', ');
      await client.query(`create trigger watch after insert or delete or update of ${counted} on ${table_name}
        execute function watch.note('${table_name}')`);
    }
  } finally {
    await client.end();
  }
}

/** Throws if a transaction of the service has changed records of a company without counting the change. */
export async function assertChangesCounted(database: pg.Client): Promise<void> {
  const { rows } = await database.query<{ written: string[] }>(`
    select array_agg(written order by written) as written from watch.writes
    group by transaction having not 'company_versions' = any(array_agg(written)) limit 10`);
  assert.deepEqual(
    rows.map(({ written }) => written.join(', ')),
    [],
    'Transactions changed these tables of a company outside of writeCompany (src/platform/db/write.ts).',
  );
}
