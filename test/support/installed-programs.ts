import { access, constants, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

const installations = '/usr/lib/postgresql';

/** Returns the folder with these programs of the newest PostgreSQL on the system, as Debian's packages install it. */
export async function findInstalled(programs: readonly string[]): Promise<string | undefined> {
  const versions = (await readdir(installations).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  for (const version of versions) {
    const bin = join(installations, version, 'bin');
    const found = await Promise.allSettled(programs.map((name) => access(join(bin, name))));
    if (found.every(({ status }) => status === 'fulfilled')) return bin;
  }
  return undefined;
}

export const notInstalled = (programs: readonly string[]) =>
  `${programs.join(', ')} not found below ${installations} (Debian: apt install postgresql).`;

/** Returns the path of a program that the shell would find, or undefined. */
export async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    const isExecutable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return path;
  }
  return undefined;
}
