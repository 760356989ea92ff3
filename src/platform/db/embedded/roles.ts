import { createHmac } from 'node:crypto';
import type pg from 'pg';
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
  url: string;
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

/** Creates the database and its two roles if they are missing, on a connection of the superuser. */
export async function ensureOwnedDatabase(client: pg.Client, endpoint: Endpoint, database: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
  if (rowCount !== 0) return;
  for (const role of [owner, runtime]) await ensureRole(client, role, passwordOf(role, endpoint));
  await client.query(`create database ${client.escapeIdentifier(database)} owner ${owner}`);
}
