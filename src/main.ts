import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Caches the compiled modules below, whose compilation takes a second of every start.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
const { runCli } = await import('./operator/run-cli.ts');

const { env, stdin, stdout, stderr } = process;
const given = new Set(Object.keys(env));
if (existsSync('.env')) process.loadEnvFile('.env');
const dotEnv = Object.keys(env).filter((name) => !given.has(name));
process.exitCode = await runCli({ argv: process.argv.slice(2), env, dotEnv, stdin, stdout, stderr });
// Ends the process even if requests that did not finish in time keep connections open.
setTimeout(() => process.exit(), 100).unref();
