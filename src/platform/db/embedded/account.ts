import { readFile, stat } from 'node:fs/promises';
import { OperatorError } from '../../config/operator-error.ts';

/** The account that PostgreSQL runs as, if it differs from the user that runs this program. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

async function listAccounts(): Promise<Account[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/** Returns the account to run PostgreSQL as, which refuses to run as root. An existing cluster runs as its owner. */
export async function findAccount(clusterFolder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = await listAccounts();
  const owner = await stat(clusterFolder).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) {
    const { uid, gid } = owner;
    return accounts.find((account) => account.uid === uid) ?? { name: String(uid), uid, gid };
  }
  const account = ['postgres', 'nobody'].map((name) => accounts.find((known) => known.name === name)).find(Boolean);
  if (account === undefined) {
    throw new OperatorError(
      'PostgreSQL does not run as root, and there is neither a user "postgres" nor a user "nobody". ' +
        'Start as an ordinary user, or set DATABASE_URL to your own PostgreSQL server.',
    );
  }
  return account;
}
