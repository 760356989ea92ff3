import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { launchBrowser, noBrowser } from '../../support/browser.ts';
import { type ExerciseResult, type ExerciseTask, exerciseClient } from '../../support/exercise-client.ts';
import { findProgram } from '../../support/installed-programs.ts';
import { entries, makePusher } from '../../support/sync.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

/** Programs that may be installed, each with the arguments that run a file with access to the network and the environment. */
const programs = [
  { name: 'deno', args: ['run', '--no-config', '--no-remote', '--allow-net', '--allow-env'] },
  { name: 'bun', args: ['run'] },
];

/** Begins every response, and never ends it. Pages of other origins may use it. */
const startHanging = async (): Promise<Server> => {
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*, authorization' };
  const server = createServer((request, response) => {
    if (request.method === 'OPTIONS') response.writeHead(204, cors).end();
    else response.writeHead(200, { 'content-type': 'application/json', ...cors }).write('{"data":[');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

/** Runs the same exercise wherever the documentation says that the client library runs. `sdk-package.test.ts` covers Node. */
describe('the client library', () => {
  let app: TestApp;
  let folder: string;
  let hanging: Server;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transit-runtimes-'));
    const project = join(root, 'sdk/tsconfig.build.json');
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', project, '--outDir', folder]);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
    await writeFile(
      join(folder, 'exercise.js'),
      `import * as library from './index.js';
      export const exercise = (task) => (${exerciseClient})(library, task);`,
    );
    await writeFile(
      join(folder, 'main.js'),
      `import { exercise } from './exercise.js';
      console.log(JSON.stringify(await exercise(JSON.parse(process.argv[2]))));`,
    );
    app = await startTestApp({ worker: 'without documents' });
    hanging = await startHanging();
  });
  after(async () => {
    await app?.close();
    hanging?.closeAllConnections();
    hanging?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const prepare = async () => {
    const { key, integrationId } = await makePusher(app);
    const { port } = hanging.address() as AddressInfo;
    const task: ExerciseTask = {
      integrationId,
      roster: entries(3),
      secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      hanging: `http://127.0.0.1:${port}`,
    };
    return { task, key: `${key.username}:${key.password}` };
  };

  const assertWorks = (result: ExerciseResult) => {
    const { counts, names, charges, types, verified, ...failures } = result;
    assert.equal(counts.created, 3);
    assert.deepEqual([names.length, charges, verified], [3, 0, 'sync-finished']);
    assert(types.includes('employee-created'));
    assert.equal(types.at(-1), 'sync-finished');
    const patterns = {
      forged: /^WebhookVerificationError: The signature does not match/,
      wrongKey: /^AuthenticationError: /,
      hanging: /^ConnectionError: The response was not complete after 1000 ms/,
      hangingExport: /^ConnectionError: The response did not continue within 1000 ms/,
      abandoned: /^Error: no longer wanted/,
    };
    for (const [name, pattern] of Object.entries(patterns))
      assert.match(failures[name as keyof typeof patterns], pattern);
  };

  for (const { name, args } of programs) {
    it(`works on ${name}`, async (t) => {
      const program = await findProgram(name);
      if (program === undefined) return t.skip(`${name} is not installed: nothing was run on it.`);
      const { task, key } = await prepare();
      const words = [...args, join(folder, 'main.js'), JSON.stringify(task)];
      const env = { PATH: process.env.PATH, HOME: folder, DENO_NO_UPDATE_CHECK: '1' };
      const { stdout } = await run(program, words, {
        cwd: folder,
        env: { ...env, TRANSIT_BENEFITS_KEY: key, TRANSIT_BENEFITS_URL: app.url },
      });
      assertWorks(JSON.parse(stdout));
    });
  }

  it('works in Chromium', { skip: noBrowser }, async () => {
    const { task, key } = await prepare();
    const { origin } = new URL(app.url);
    const browser = await launchBrowser();
    try {
      // The server that hangs has another origin.
      const page = await browser.newPage({ permissions: ['local-network-access'] });
      // Stands for a page that the operator of the service hosts on its origin. Requests to the API go to the service itself.
      await page.route(`${origin}/exercise/**`, async (route) => {
        const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
        if (name === '')
          return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Exercise</title>' });
        return route.fulfill({ contentType: 'text/javascript', body: await readFile(join(folder, name), 'utf8') });
      });
      await page.goto(`${origin}/exercise/`);
      const result = await page.evaluate(
        async (given) => {
          const { exercise } = await import(`${given.baseUrl}/exercise/exercise.js`);
          return JSON.stringify(await exercise(given));
        },
        { ...task, key, baseUrl: origin },
      );
      assertWorks(JSON.parse(result));
    } finally {
      await browser.close();
    }
  });
});
