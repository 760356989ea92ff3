import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Checks which files may import which. Type-only imports count: they tie files together for the reader, even though
 * nothing remains of them at run time.
 */

/**
 * The layers from the bottom to the top. A file imports from its own layer and from those above it in this list.
 * Entries on one line do not import each other. The most specific entry applies.
 */
const layers: readonly (readonly string[])[] = [
  ['portal'],
  ['src/domain'],
  ['sdk'],
  [
    'src/platform/db/connect-timeout.ts',
    'src/platform/http/errors.ts',
    'src/platform/config/operator-error.ts',
    'src/features/employees/removed-address.ts',
    'src/platform/threads/thread.ts',
    'src/tracing',
    'src/platform/config/trusted-proxies.ts',
    'src/platform/config/version.ts',
  ],
  ['src/platform/config/setting-file.ts'],
  ['src/platform/config/settings-reader.ts'],
  ['src/platform/config/config.ts', 'src/platform/files/private-files.ts'],
  ['src/platform/crypto/encryption.ts', 'src/platform/files/file-lock.ts', 'src/platform/crypto/open-secret.ts'],
  ['src/platform/telemetry/log.ts', 'src/db', 'src/metrics', 'src/outgoing'],
  ['src/platform/clock/clock.ts'],
  ['src/features/activity/record.ts', 'src/http', 'src/jobs', 'src/platform/crypto/rotate-secrets.ts'],
  ['src/mail', 'src/platform/crypto/open-encryption.ts'],
  ['src/features/companies/companies.ts', 'src/features/context.ts', 'src/docs', 'src/platform/db/prepare-database.ts'],
  [
    'src/api-requests',
    'src/auth',
    'src/features/companies/change-settings.ts',
    'src/platform/db/open-database.ts',
    'src/operations',
    'src/features/invoices/seller.ts',
  ],
  ['src/events'],
  ['src/documents', 'src/wallet'],
  ['src/employees'],
  ['src/billing'],
  ['src/invoices'],
  ['src/features/companies/stored-counts.ts', 'src/daily-run'],
  ['src/contracts', 'src/hr-integrations', 'src/webhooks'],
  ['src/mcp'],
  ['src/portal'],
  ['src/doctor', 'src/processes/worker-report.ts'],
  ['src/processes/app.ts', 'src/processes/worker.ts'],
  ['src/processes/service.ts'],
  ['src/demo'],
  ['src/commands'],
  ['src/main.ts'],
  ['test/support'],
  ['harness', 'test/browser/portal'],
  ['bench', 'torture'],
  ['scripts'],
  ['test'],
];

export interface Violation {
  file: string;
  line: number;
  problem: string;
  remedy: string;
}

interface Import {
  file: string;
  line: number;
  target: string;
}

/** Returns the entry of `layers` that contains the file and its level, counted from the bottom. */
function findLayer(path: string): { entry: string; level: number } | undefined {
  const file = path.replace(/\.test\.ts$/, '.ts');
  const found = layers
    .flatMap((entries, level) => entries.map((entry) => ({ entry, level })))
    .filter(({ entry }) => file === entry || file.startsWith(`${entry}/`));
  return found.toSorted((a, b) => b.entry.length - a.entry.length)[0];
}

/** Matches every string that names a source file by a relative path: imports, exports and files of worker threads. */
const relativePath = /(['"])(\.{1,2}\/[^'"\n]+\.tsx?)\1/g;

function readImports(root: string, file: string): Import[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((text, index) =>
    [...text.matchAll(relativePath)]
      .map((match) => ({ file, line: index + 1, target: join(dirname(file), match[2] ?? '') }))
      .filter(({ target }) => existsSync(join(root, target))),
  );
}

function checkLayers(imports: Import[]): Violation[] {
  return imports.flatMap(({ file, line, target }) => {
    const [from, to] = [findLayer(file), findLayer(target)];
    if (from === undefined || to === undefined || from.entry === to.entry || to.level < from.level) return [];
    const problem = `${from.entry} imports ${target}, which is ${to.level === from.level ? 'beside' : 'above'} it`;
    const remedy = 'Move the shared code to a lower layer, or pass it in from above.';
    return [{ file, line, problem, remedy }];
  });
}

function checkPlaced(files: string[]): Violation[] {
  const unplaced = files.filter((file) => findLayer(file) === undefined);
  const remedy = 'Add it to the list in scripts/check-layers.ts.';
  return unplaced.map((file) => ({ file, line: 1, problem: 'belongs to no layer', remedy }));
}

const isQuery = (file: string) => /(^|-)queries\.ts$/.test(basename(file));
const isPresenter = (file: string) => /^present(-.*)?\.ts$/.test(basename(file));

function checkQueries(imports: Import[]): Violation[] {
  const wrong = imports.filter(({ file, target }) => isQuery(file) && isPresenter(target));
  const remedy = 'Return rows from the query and call the presenter in the route.';
  return wrong.map(({ file, line, target }) => ({ file, line, problem: `a query imports ${target}`, remedy }));
}

type Edges = Map<string, Map<string, Import>>;

/** Groups imports by what `nameOf` returns for both ends. */
function connect(imports: Import[], nameOf: (file: string) => string): Edges {
  const edges: Edges = new Map();
  for (const one of imports) {
    const [from, to] = [nameOf(one.file), nameOf(one.target)];
    if (from === to) continue;
    const targets = edges.get(from) ?? new Map<string, Import>();
    if (!targets.has(to)) targets.set(to, one);
    edges.set(from, targets);
  }
  return edges;
}

/** Returns the shortest way from one name to another, both included. */
function findPath(edges: Edges, from: string, to: string): string[] | undefined {
  const paths = [[from]];
  const seen = new Set([from]);
  for (const path of paths) {
    const last = path.at(-1) ?? from;
    if (last === to) return path;
    for (const next of edges.get(last)?.keys() ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      paths.push([...path, next]);
    }
  }
  return undefined;
}

/** Reports each group of names that import each other once, by its shortest cycle. */
function checkCycles(edges: Edges, what: string): Violation[] {
  const reported = new Set<string>();
  const violations: Violation[] = [];
  for (const [from, targets] of edges) {
    for (const [to, { file, line }] of targets) {
      if (reported.has(from) && reported.has(to)) continue;
      const path = findPath(edges, to, from);
      if (path === undefined) continue;
      for (const name of path) reported.add(name);
      const problem = `cycle between ${what}: ${[from, ...path].join(' → ')}`;
      violations.push({ file, line, problem, remedy: 'Move what both need to a place that imports neither.' });
    }
  }
  return violations;
}

/**
 * Returns the folder of a file. Files directly in `src` stand for themselves, because they belong to different layers,
 * and so do tests, because nothing imports them.
 */
const folderOf = (file: string) => (dirname(file) === 'src' || file.endsWith('.test.ts') ? file : dirname(file));

/** A folder and the folders inside it belong together. */
const isInside = (file: string, folder: string) => file.startsWith(`${folder}/`);
const crossesFolders = ({ file, target }: Import) =>
  !isInside(file, dirname(target)) && !isInside(target, dirname(file));

/** Returns every violation in the source files below `root`. */
export function findViolations(root: string): Violation[] {
  const files = globSync('{src,portal,sdk,harness,bench,torture,scripts,test}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => ['node_modules', 'dist'].includes(basename(path)),
  }).toSorted();
  const imports = files.flatMap((file) => readImports(root, file));
  return [
    ...checkPlaced(files),
    ...checkLayers(imports),
    ...checkQueries(imports),
    ...checkCycles(
      connect(imports, (file) => file),
      'files',
    ),
    ...checkCycles(connect(imports.filter(crossesFolders), folderOf), 'folders'),
  ];
}

if (import.meta.main) {
  const violations = findViolations(process.cwd());
  for (const { file, line, problem, remedy } of violations)
    process.stderr.write(`${file}:${line}  ${problem}. ${remedy}\n`);
  process.stdout.write(`layers: ${violations.length} violation${violations.length === 1 ? '' : 's'}\n`);
  if (violations.length > 0) process.exitCode = 1;
}
