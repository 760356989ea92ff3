import { createHmac } from 'node:crypto';
import pg from 'pg';
import type { Endpoint } from './endpoint.ts';

/** Owns the database and all objects in it. Migrations run as this role. */
const owner = 'transit_owner';
/** The role of the service and the commands (docs/decisions/0023-database-roles.md). */
const runtime = 'transit_app';

/** Derives the password of a role from the superuser's, so that one file remains the only stored secret. */
const passwordOf = (role: string, { password }: Endpoint) =>
  createHmac('sha256', password).update(role).digest('base64url');

const urlOf = (user: string, password: string, port: number, database: string) =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;

export interface EmbeddedUrls {
  /** Connects as the role that can only read and write rows. */
  url: string;
  /** Connects as the role that migrates. */
  ownerUrl: string;
  /** Connects as the superuser, for tests and measurements of the server itself. */
  adminUrl: string;
}

/** Returns the URL per role. The passwords are base64url, which needs no escaping in a URL. */
export function urlsOf(endpoint: Endpoint, database: string): EmbeddedUrls {
  const ofRole = (role: string) => urlOf(role, passwordOf(role, endpoint), endpoint.port, database);
  return {
    url: ofRole(runtime),
    ownerUrl: ofRole(owner),
    adminUrl: urlOf('postgres', endpoint.password, endpoint.port, database),
  };
}

async function ensureRole(client: pg.Client, role: string, password: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  if (rowCount === 0) await client.query(`create role ${role} login password ${client.escapeLiteral(password)}`);
}

/**
 * Transfers everything that earlier versions created as the superuser to the owner. Indexes and the sequences of
 * identity columns follow their tables. Objects of extensions stay.
 */
const handOver = `
do $$
declare command text;
begin
  for command in
    with owned as (
      select oid from pg_namespace where nspname in ('public', 'queue')
    ), extended as (
      select classid, objid from pg_depend where deptype = 'e'
    )
    select format('alter table %s owner to ${owner}', c.oid::regclass) from pg_class c
      where c.relnamespace in (select oid from owned) and c.relkind in ('r', 'p', 'v', 'm')
        and ('pg_class'::regclass, c.oid) not in (select classid, objid from extended)
    union all
    select format('alter routine %s owner to ${owner}', p.oid::regprocedure) from pg_proc p
      where p.pronamespace in (select oid from owned)
        and ('pg_proc'::regclass, p.oid) not in (select classid, objid from extended)
    union all
    select format('alter type %s owner to ${owner}', t.oid::regtype) from pg_type t
      where t.typnamespace in (select oid from owned) and t.typtype in ('e', 'd')
        and ('pg_type'::regclass, t.oid) not in (select classid, objid from extended)
    union all
    select 'alter schema queue owner to ${owner}' from pg_namespace where nspname = 'queue'
  loop
    execute command;
  end loop;
end $$`;

async function handOverDatabase(endpoint: Endpoint, database: string): Promise<void> {
  const client = new pg.Client(urlsOf(endpoint, database).adminUrl);
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin');
    await client.query(handOver);
    // Last, so that a database that has its owner is known to be transferred completely.
    await client.query(`alter database ${client.escapeIdentifier(database)} owner to ${owner}`);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** Creates the database and its two roles if they are missing, on a connection of the superuser. */
export async function ensureOwnedDatabase(client: pg.Client, endpoint: Endpoint, database: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [database],
  );
  if (rows[0]?.owner === owner) return;
  for (const role of [owner, runtime]) await ensureRole(client, role, passwordOf(role, endpoint));
  if (rows[0] === undefined) await client.query(`create database ${client.escapeIdentifier(database)} owner ${owner}`);
  else await handOverDatabase(endpoint, database);
}
