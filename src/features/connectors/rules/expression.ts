import type jsonata from 'jsonata';
import { createMessage } from '../../../domain/messages/message.ts';
import { ConnectorError } from '../providers/connector.ts';
import { isRecord } from '../providers/http-client.ts';

/** Expressions of a company that say where a value is in the response of its HR system (JSONata). */
export type Evaluate = (input: unknown) => Promise<unknown>;

/** Per evaluation. The thread that evaluates has limits of its own, which also end what these do not count. */
const limits = { timeout: 1_000, stack: 100, sequence: 100_000 };

const plainPath = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

/** Loaded only if needed: it takes memory and time to start. */
const load = async (): Promise<typeof jsonata> => (await import('jsonata')).default;

/** Follows names through objects. Returns `undecided` at a list, through which JSONata would go on. */
const undecided = Symbol('undecided');
function follow(input: unknown, names: readonly string[]): unknown {
  let value = input;
  for (const name of names) {
    if (Array.isArray(value)) return undecided;
    value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

const describe = (error: unknown) => String((error as { code?: string }).code ?? 'unknown error');

/** The message of an error would quote the response, so only its code is shown. */
const failed = (expression: string, error: unknown) => {
  const message = createMessage('expression-failed', { expression, error: describe(error) });
  return new ConnectorError('unexpected-response', message);
};

/** Returns the code of what is wrong with the syntax of an expression. Undefined: nothing is. */
export async function findSyntaxProblem(expression: string): Promise<string | undefined> {
  try {
    (await load())(expression);
    return undefined;
  } catch (error) {
    return describe(error);
  }
}

/** Returns a function that evaluates an expression. Throws if its syntax is wrong. */
export async function compileExpression(expression: string): Promise<Evaluate> {
  const names = plainPath.test(expression) ? expression.split('.') : undefined;
  const create = await load();
  let compiled: jsonata.Expression;
  try {
    compiled = create(expression, limits);
  } catch (error) {
    throw failed(expression, error);
  }
  return async (input) => {
    // Most expressions are plain paths, and a roster evaluates ten per employee: JSONata takes 50 µs for each.
    const found = names === undefined ? undecided : follow(input, names);
    if (found !== undecided) return found;
    try {
      return await compiled.evaluate(input);
    } catch (error) {
      throw failed(expression, error);
    }
  };
}
