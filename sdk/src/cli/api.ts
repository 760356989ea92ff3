import { readFileSync } from 'node:fs';
import { type Command, type CommandContext, textOf } from './define.ts';
import { usageError } from './errors.ts';
import { printJson, readInput } from './terminal.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Returns the body: JSON from a file, or from standard input for `-`. */
async function readBody(context: CommandContext): Promise<unknown> {
  const file = textOf(context, 'body');
  if (file === undefined) return undefined;
  try {
    return JSON.parse(file === '-' ? await readInput(context.terminal) : readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw usageError(`--body ${file}: is no JSON (${error.message}).`);
    throw usageError(`--body ${file} cannot be read (${(error as { code?: string }).code}).`);
  }
}

const api: Command = {
  name: 'api',
  operands: '[METHOD] <path>',
  description: 'Send any request of the API and print its JSON',
  options: {
    body: { type: 'string', value: 'FILE', description: 'JSON to send; - reads standard input' },
  },
  async run(context) {
    const [path, method = 'GET', ...others] = context.words.toReversed();
    if (path === undefined || others.length > 0 || !path.startsWith('/'))
      throw usageError('Name a method and a path below /v1, such as `transit api GET /employees?perPage=5`.');
    const known = methods.find((one) => one === method.toUpperCase());
    if (known === undefined) throw usageError(`${method} is no method. Use one of ${methods.join(', ')}.`);
    const body = await readBody(context);
    const options = { body, signal: context.signal };
    const result = await context.connect().request(known, path.replace(/^\/v1(?=\/)/, ''), options);
    if (result !== undefined) await printJson(context.terminal, result);
    return undefined;
  },
};

export const apiCommands = [api];
