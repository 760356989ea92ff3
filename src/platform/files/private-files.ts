import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../config/operator-error.ts';

/** The files contain personal data and secrets, so only the user that runs the service may read them. */
export const privateFile = 0o600;
const privateFolder = 0o700;
const forOthers = 0o077;
const isShared = (mode: number) => (mode & 0o1000) !== 0;

/** Returns undefined if the path does not exist or is not accessible to this user. */
const statOf = (path: string) => stat(path).catch(() => undefined);

async function restrict(path: string, mode: number): Promise<void> {
  try {
    await chmod(path, mode);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Temporary files may have disappeared.
    if (code === 'ENOENT') return;
    throw new OperatorError(
      `Other users can read ${path}, and its mode cannot be changed (${message}). ` +
        `Change it as its owner (chmod ${mode.toString(8)}), or choose a folder that the service can create.`,
    );
  }
}

/** Removes the access of others to a folder and returns whether it exists. Throws if it is shared, as /tmp is. */
async function restrictFolder(path: string): Promise<boolean> {
  const found = await statOf(path);
  if (!found?.isDirectory()) return false;
  if (isShared(found.mode)) {
    throw new OperatorError(
      `The folder ${path} is shared by all users. Choose a folder that belongs to the service, for example inside it.`,
    );
  }
  if ((found.mode & forOthers) !== 0) await restrict(path, privateFolder);
  return true;
}

export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: privateFolder });
  await restrictFolder(path);
}

/** Removes the access of other users to the data folder and its files, which an earlier version may have left open. */
export async function restrictDataFolder(path: string): Promise<void> {
  if (!(await restrictFolder(path))) return;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const file = join(path, entry.name);
    const found = entry.isFile() ? await statOf(file) : undefined;
    if (found !== undefined && (found.mode & forOthers) !== 0) await restrict(file, privateFile);
  }
}
