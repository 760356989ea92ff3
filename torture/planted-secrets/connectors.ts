import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakePersonio } from '../../src/features/connectors/fake/fake-personio.ts';
import { type Env, type Finished, run } from '../../test/support/process.ts';
import type { Secrets } from './secrets.ts';

/** Plants the credentials of an HR system: accepted, refused, in a damaged file and with a misspelt name. */
export async function plantInConnectors(
  { word, stray, credential, personal }: Secrets,
  env: Env & { DATA_DIR: string },
  companyId: number,
): Promise<Finished[]> {
  const clientSecret = credential('client secret of an HR system', word(40));
  const clientId = `papi-${word()}`;
  const person = {
    id: 1,
    first_name: personal('first name in an HR system'),
    last_name: 'Muster',
    email: 'somebody.of.personio@example.com',
    hire_date: '2020-01-01',
    termination_date: null,
    status: 'active',
    // Never requested, so it must not even be stored.
    fix_salary: credential('salary in an HR system', word(20)),
  };
  const fake = await startFakePersonio({ people: [person], clientId, clientSecret });
  const verbose = { ...env, LOG_LEVEL: 'trace', PERSONIO_URL: fake.origin };
  const company = ['--company', String(companyId)];
  const printed: Finished[] = [];
  const command = async (...words: string[]) => {
    const finished = await run(words, verbose);
    printed.push(finished);
    return finished;
  };
  try {
    const { stdout } = await command('integration', 'create', ...company, '--name', 'P', '--type', 'hr-integration');
    const id = String((JSON.parse(stdout) as { id: number }).id);
    const file = join(env.DATA_DIR, 'credentials.json');
    const connect = async (content: string) => {
      await writeFile(file, content);
      return command('integration', 'connect', id, ...company, '--provider', 'personio', '--credentials', file);
    };
    await connect(`{"clientId": "x", "clientSecret": "${stray('client secret in a damaged file')}`);
    await connect(JSON.stringify({ clientId, clientSecrets: stray('client secret with a misspelt name') }));
    await connect(JSON.stringify({ clientId, clientSecret: stray('client secret that is refused') }));
    for (const word of ['check', 'sync']) await command('integration', word, id, ...company);
    await connect(JSON.stringify({ clientId, clientSecret }));
    for (const word of ['check', 'sync']) await command('integration', word, id, ...company);
    fake.account.canReadEmployees = false;
    await command('integration', 'sync', id, ...company);
    await writeFile(file, '');
  } finally {
    await fake.close();
  }
  return printed;
}
