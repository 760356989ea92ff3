import assert from 'node:assert/strict';
import { type Env, run } from './process.ts';

/** The operator's commands in an environment, held to what all of them promise. */
export interface Commands {
  /** One JSON value on stdout and nothing else anywhere. */
  // biome-ignore lint/suspicious/noExplicitAny: each command prints a value of its own shape.
  succeed(...words: string[]): Promise<any>;
  /** The same commands, which read this text from standard input. */
  reading(input: string): Commands;
  /** One readable line on stderr, nothing on stdout. */
  fail(...words: string[]): Promise<string>;
}

export const commandsIn = (env: Env, input?: string): Commands => ({
  reading: (text) => commandsIn(env, text),
  async succeed(...words) {
    const { code, stdout, stderr } = await run(words, env, input);
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.match(stdout, /^[^\n]+\n$/);
    return JSON.parse(stdout);
  },
  async fail(...words) {
    const { code, stdout, stderr } = await run(words, env, input);
    assert.notEqual(code, 0);
    assert.equal(stdout, '');
    assert.match(stderr, /^[^\n]+\n$/);
    return stderr;
  },
});
