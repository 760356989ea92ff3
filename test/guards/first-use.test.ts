import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Packages that a process loads with their first use (docs/decisions/0106): one that never needs them needs no memory for them. */
const late = [
  ...['@aws-sdk/client-s3', '@modelcontextprotocol/server', '@opentelemetry/sdk-trace', '@simplewebauthn/server'],
  ...['@zxcvbn-ts/core', 'bwip-js', 'fontkit', 'jose', 'jsonata', 'libpg-query', 'markdown-it', 'nodemailer'],
  ...[
    'openid-client',
    'passkit-generator',
    'pdfkit',
    'piscina',
    'read-excel-file',
    'ssh2',
    'undici',
    'write-excel-file',
  ],
];

/** Imports modules and prints the addresses of all modules that this loads. */
const script = `
  import { registerHooks } from 'node:module';
  const seen = new Set();
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      seen.add(found.url);
      return found;
    },
  });
  for (const one of process.argv.slice(1)) await import(one);
  console.log(JSON.stringify([...seen]));
`;

describe('a start of the service', () => {
  it('loads no package that only later work needs', async () => {
    // A start imports the last two while PostgreSQL starts.
    const files = ['operator/serve.ts', 'processes/app.ts', 'processes/worker.ts'];
    const modules = files.map((file) => new URL(`../../src/${file}`, import.meta.url).href);
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script, ...modules]);
    const loaded = JSON.parse(stdout) as string[];
    const has = (name: string) => loaded.some((url) => url.includes(`/node_modules/${name}/`));
    assert(has('fastify'), 'the modules of the service are among those that were loaded');
    assert.deepEqual(late.filter(has), []);
  });
});
