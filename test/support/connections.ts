import pg from 'pg';

export const templateName = 'transit_template';

export async function connectAs(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Runs work with a connection of its own. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectAs(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What PostgreSQL throws at a role that lacks a privilege. */
export const denied = { code: '42501' };

export function serverUrl(): string {
  const url = process.env.TEST_SERVER_URL;
  if (!url) throw new Error('No database server: it runs while tests run, not while their files are loaded.');
  return url;
}

/** The roles that own the test databases and that the service uses in them. Their names are also their passwords. */
export const roles = { owner: 'transit_test_owner', service: 'transit_test_service' } as const;

/**
 * Returns the URL of a database on the server of the run, for the superuser unless a role is given. On a busy machine,
 * connecting may take longer than a service should wait.
 */
export function addressOf(name: string, role?: keyof typeof roles): string {
  const as = role === undefined ? {} : { username: roles[role], password: roles[role] };
  const url = Object.assign(new URL(serverUrl()), { pathname: `/${name}`, ...as });
  url.searchParams.set('connect_timeout', '60');
  return url.href;
}
