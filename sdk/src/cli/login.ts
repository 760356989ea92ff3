import { TransitBenefits } from '../client.ts';
import { type Command, type CommandContext, textOf } from './define.ts';
import { CommandError, exitCodes, usageError } from './errors.ts';
import { keyFile, originOf, readKeys, writeKeys } from './stored-keys.ts';
import { ask, note, print, printJson, readInput } from './terminal.ts';

export const defaultUrl = 'http://localhost:3000';
export const profileOf = (context: CommandContext) =>
  textOf(context, 'profile') ?? context.terminal.env.TRANSIT_BENEFITS_PROFILE ?? 'default';

/** Reads the key. Never from an argument, which every user of the machine could see. */
async function readKey({ terminal, options, signal }: CommandContext): Promise<string> {
  if (options['key-stdin']) return (await readInput(terminal)).trim();
  const username = await ask(terminal, { text: 'Username of the API key: ', signal });
  const password = username && (await ask(terminal, { text: 'Password: ', isHidden: true, signal }));
  if (!username || !password) {
    throw usageError(
      'Nobody has entered a key. Without a terminal, use --key-stdin and write username:password to standard input.',
    );
  }
  return `${username}:${password}`;
}

const login: Command = {
  name: 'login',
  description: 'Check an API key and store it',
  options: { 'key-stdin': { type: 'boolean', description: 'Read username:password from standard input' } },
  async run(context) {
    const { terminal, signal } = context;
    const { env } = terminal;
    const given = textOf(context, 'url') ?? (env.TRANSIT_BENEFITS_URL || undefined);
    const question = { text: `Address of the service [${defaultUrl}]: `, signal };
    const url = given ?? ((await ask(terminal, question)) || defaultUrl);
    const origin = originOf(url);
    const key = await readKey(context);
    const me = await new TransitBenefits({ key, baseUrl: url }).me({ signal });
    const profile = profileOf(context);
    writeKeys(env, { ...readKeys(env), [profile]: { url, key } });
    if (terminal.isJson) await printJson(terminal, { profile, url, company: me.company, environment: me.environment });
    else {
      await print(terminal, `Signed in to ${me.company.name} (${me.environment}) with the key ${me.keyName}.\n`);
      note(terminal, `The key is stored in ${keyFile(env)}, which only you can read, and is only sent to ${origin}.`);
      note(terminal, '`transit logout` deletes it.');
    }
    return undefined;
  },
};

const logout: Command = {
  name: 'logout',
  description: 'Delete a stored key',
  options: {},
  async run(context) {
    const { terminal } = context;
    const profile = profileOf(context);
    const { [profile]: found, ...others } = readKeys(terminal.env);
    if (found === undefined) throw new CommandError(`No key is stored as ${profile}.`, exitCodes.credentials);
    writeKeys(terminal.env, others);
    if (terminal.isJson) await printJson(terminal, { profile, deleted: true });
    else
      await print(terminal, `Deleted. The key itself still works: revoke it in the portal if you no longer need it.\n`);
    return undefined;
  },
};

const whoami: Command = {
  name: 'whoami',
  description: 'Show the key, its company and its permissions',
  options: {},
  async run({ terminal, connect, signal }) {
    const me = await connect().me({ signal });
    if (terminal.isJson) await printJson(terminal, me);
    else {
      const { company, environment, keyName, username, permissions } = me;
      await print(
        terminal,
        `${company.name} (company ${company.id}, ${environment})\nkey ${keyName} (${username})\n${permissions.join(', ')}\n`,
      );
    }
    return undefined;
  },
};

export const loginCommands = [login, logout, whoami];
