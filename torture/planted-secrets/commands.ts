import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { permissions } from '../../src/domain/enums.ts';
import { startFakePersonio } from '../../src/features/connectors/fake/fake-personio.ts';
import type { Credentials } from '../../test/support/app.ts';
import { type Env, type Finished, run } from '../../test/support/process.ts';
import type { Secrets } from './planting.ts';

type OperatorEnv = Env & Record<'DATA_DIR' | 'SMTP_URL', string>;

export async function plantInCommands(secrets: Secrets, env: OperatorEnv, companyId: number) {
  const company = ['--company', String(companyId)];
  const printed: Finished[] = [];
  const command = async (words: string[], own: Env = {}, input?: string) => {
    const finished = await run(words, { ...env, LOG_LEVEL: 'trace', ...own }, input);
    printed.push(finished);
    return finished;
  };
  /** Runs a command that is meant to print a secret, which is removed from the output before the search. */
  const show = async <T>(what: string, words: string[], secretOf: (value: T) => string): Promise<T> => {
    const finished = await command([...words, ...company]);
    const value = JSON.parse(finished.stdout) as T;
    finished.stdout = finished.stdout.replace(secrets.credential(what, secretOf(value)), '');
    return value;
  };
  const commands = { env, company, command, show };
  const login = await plantInAccounts(secrets, commands);
  const words = ['key', 'create', '--permissions', permissions.join(',')];
  const key = await show<Credentials>('password of a key', words, ({ password }) => password);
  await plantInWebhooks(secrets, commands);
  await plantInConnectors(secrets, commands);
  await plantInMailSettings(secrets, commands);
  return { key, login, printed };
}

interface Commands {
  env: OperatorEnv;
  company: string[];
  command(words: string[], own?: Env, input?: string): Promise<Finished>;
  show<T>(what: string, words: string[], secretOf: (value: T) => string): Promise<T>;
}

async function plantInAccounts({ word, stray, email, credential }: Secrets, { company, command }: Commands) {
  const login = { email: email('address of an admin'), password: credential('password of an admin', `${word()} "ß`) };
  const createUser = ['user', 'create', ...company, '--email'];
  const colleague = [...createUser, email('address of a colleague')];
  const tooShort = (what: string) => stray(what).slice(0, 11);
  const away = (what: string) => `postgres://postgres:${stray(what)}@127.0.0.1:1/transit`;
  const createKey = ['key', 'create', ...company, '--permissions', 'view-billing'];
  await Promise.all([
    command([...createUser, login.email, '--password', login.password]),
    command([...createUser, login.email, '--password', tooShort('too short')]),
    command(createKey, { DATABASE_URL: away('password of a database that is away') }),
    command(['migrate'], { DATABASE_OWNER_URL: away('password of an owner who is away') }),
    command(colleague, {}, `${credential('password that is typed', `${word()} ß`)}\n`),
    command(colleague, {}, `${tooShort('typed and too short')}\n`),
    command(['migrate'], { DATABASE_URL: `mysql://root:${stray('password of another database')}@127.0.0.1/x` }),
    command(['migrate'], { SECRET: stray('secret that is too short') }),
  ]);
  return login;
}

async function plantInWebhooks({ personal }: Secrets, { company, command, show }: Commands): Promise<void> {
  const url = `https://webhooks.invalid/${personal('token in the address of a webhook')}`;
  const secretOf = ({ secret }: { id: number; secret: string }) => secret.slice('whsec_'.length);
  const { id } = await show('secret of a webhook', ['webhook-endpoint', 'create', '--url', url], secretOf);
  await show('new secret of a webhook', ['webhook-endpoint', 'rotate', String(id)], secretOf);
  await command(['webhook-endpoint', 'test', String(id), ...company]);
}

async function plantInConnectors(secrets: Secrets, { env, company, command }: Commands): Promise<void> {
  const { word, stray, credential, personal } = secrets;
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
  const integration = (...words: string[]) =>
    command(['integration', ...words, ...company], { PERSONIO_URL: fake.origin });
  try {
    const { stdout } = await integration('create', '--name', 'P', '--type', 'hr-integration');
    const id = String((JSON.parse(stdout) as { id: number }).id);
    const file = join(env.DATA_DIR, 'credentials.json');
    const connect = async (content: string) => {
      await writeFile(file, content);
      await integration('connect', id, '--provider', 'personio', '--credentials', file);
    };
    await connect(`{"clientId": "x", "clientSecret": "${stray('client secret in a damaged file')}`);
    await connect(JSON.stringify({ clientId, clientSecrets: stray('client secret with a misspelt name') }));
    for (const one of [stray('client secret that is refused'), clientSecret]) {
      await connect(JSON.stringify({ clientId, clientSecret: one }));
      for (const word of ['check', 'sync']) await integration(word, id);
    }
    fake.account.canReadEmployees = false;
    await integration('sync', id);
    await writeFile(file, '');
  } finally {
    await fake.close();
  }
}

async function plantInMailSettings({ stray }: Secrets, { env, command }: Commands): Promise<void> {
  const wrong = env.SMTP_URL.replace(/:[^:@]+@/, `:${stray('wrong password of the mail server')}@`);
  for (const words of [['config', 'check'], ['doctor'], ['mail', 'test', 'ops@example.com']]) {
    for (const SMTP_URL of [env.SMTP_URL, wrong]) await command(words, { SMTP_URL });
  }
}
