import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseFiles, isSetName, isTorture, setNames } from './runner/files.ts';
import { type FileResult, TestWorker } from './runner/worker.ts';
import { globalSetup, globalTeardown } from './support/server.ts';

/**
 * Runs tests: `node test/run.ts <set> [path …] [--test-name-pattern TEXT]`. A few processes share the files and one
 * database server.
 */
const usage = `node test/run.ts ${setNames.join('|')} [path …] [--test-name-pattern TEXT]`;

function readWords() {
  const { values, positionals } = parseArgs({
    options: { 'test-name-pattern': { type: 'string', multiple: true, default: [] } },
    allowPositionals: true,
  });
  const [set, ...paths] = positionals;
  if (!isSetName(set)) throw new Error(`Usage: ${usage}`);
  return { set, files: chooseFiles(set, paths), namePatterns: values['test-name-pattern'] };
}

const indent = (text: string) => text.replaceAll(/^/gm, '    ');

const describeFailures = (file: string, { failures }: FileResult) =>
  failures.map(({ name, error }) => `✖ ${file}: ${name}\n${indent(error)}`).join('\n');

const begun = performance.now();
const secondsSince = (start: number) => `${((performance.now() - start) / 1_000).toFixed(1)} s`;

const { set, files, namePatterns } = readWords();
if (files.length === 0) throw new Error('No test file matches.');
const waiting = [...files];
// More processes than processors, since a test often waits: for the database, which has connections for four, or for a time.
const processes = Math.min(files.length, availableParallelism() + 2, 4);
const workers = Array.from({ length: processes }, () => new TestWorker());
for (const worker of workers) worker.start();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const worker of workers) worker.kill();
    void globalTeardown().finally(() => process.exit(1));
  });
}

const results: { file: string; result: FileResult }[] = [];

/** TEST_MINUTES limits a run: files that have not begun by then are reported as skipped. */
const limitMillis = Number(process.env.TEST_MINUTES ?? Number.POSITIVE_INFINITY) * 60_000;

/** The scenarios that run now. There are no more than processors, since a process that waits too long for one gives up. */
let scenarios = 0;

/** Returns the next file that may begin now. */
function takeFile(): string | undefined {
  if (performance.now() - begun >= limitMillis) return undefined;
  const isFull = scenarios >= availableParallelism();
  const at = waiting.findIndex((file) => !(isFull && isTorture(file)));
  return at === -1 ? undefined : waiting.splice(at, 1)[0];
}

async function work(worker: TestWorker): Promise<void> {
  for (let path = takeFile(); path !== undefined; path = takeFile()) {
    const file = relative(process.cwd(), path);
    const start = performance.now();
    const { TEST_SERVER_URL = '', TEST_SERVER_NODES = '' } = process.env;
    const env = { TEST_SERVER_URL, TEST_SERVER_NODES, TEST_RUNS: set === 'slow' ? 'all' : 'some' };
    if (isTorture(path)) scenarios += 1;
    const result = await worker.run({ file: path, env, namePatterns });
    if (isTorture(path)) scenarios -= 1;
    results.push({ file, result });
    const { passed, failed } = result.counts;
    const done = `[${results.length}/${files.length}] ${file}: ${passed} passed`;
    const time = `${secondsSince(start)}, ${result.cpuSeconds.toFixed(1)} s processor`;
    if (failed === 0) console.log(`✔ ${done} (${time})`);
    else console.log(`✖ ${done}, ${failed} failed (${time})\n${describeFailures(file, result)}`);
  }
}

await globalSetup();
let areClosed: boolean[];
try {
  await Promise.all(workers.map(work));
  areClosed = await Promise.all(workers.map((worker) => worker.end()));
} finally {
  await globalTeardown();
}

const total = (key: 'passed' | 'failed' | 'skipped') =>
  results.reduce((sum, { result }) => sum + result.counts[key], 0);
const failed = results.filter(({ result }) => result.counts.failed > 0);

for (const { file, result } of results) {
  for (const { name, reason } of result.skips) console.log(`skipped: ${file}: ${name} (${reason})`);
}
for (const path of waiting) {
  console.log(
    `skipped: ${relative(process.cwd(), path)} (the run has reached TEST_MINUTES=${process.env.TEST_MINUTES})`,
  );
}
for (const { file, result } of failed) {
  for (const { name } of result.failures) console.log(`✖ failed: ${file}: ${name}`);
}
if (areClosed.includes(false))
  console.log('✖ A test process did not end after its last test: a test has left something open.');
console.log(
  `\n${files.length} files in ${secondsSince(begun)}: ${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`,
);
if (failed.length > 0 || areClosed.includes(false)) process.exitCode = 1;
