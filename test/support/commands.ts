import assert from 'node:assert/strict';
import { runInProcess } from './cli.ts';
import type { Env } from './process.ts';

/** Runs the operator's commands in an environment, and checks what all of them promise. */
export interface Commands {
  /** Throws unless the command prints one JSON value on stdout and nothing else. Returns the value. */
  // biome-ignore lint/suspicious/noExplicitAny: each command prints a value of its own shape.
  succeed(...words: string[]): Promise<any>;
  /** Returns the same commands, which read this text from standard input. */
  reading(input: string): Commands;
  /** Throws unless the command fails with one readable line on stderr and nothing on stdout. Returns the line. */
  fail(...words: string[]): Promise<string>;
}

export const commandsIn = (env: Env, input?: string): Commands => ({
  reading: (text) => commandsIn(env, text),
  async succeed(...words) {
    const { code, stdout, stderr } = await runInProcess(words, { env, input });
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.match(stdout, /^[^\n]+\n$/);
    return JSON.parse(stdout);
  },
  async fail(...words) {
    const { code, stdout, stderr } = await runInProcess(words, { env, input });
    assert.notEqual(code, 0);
    assert.equal(stdout, '');
    assert.match(stderr, /^[^\n]+\n$/);
    return stderr;
  },
});
