import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type ImportRule, rules } from './import-rules.ts';

/** Checks which file imports which (scripts/import-rules.ts). Imports of types count: they tie files together for the reader. */

const root = join(import.meta.dirname, '..');

/** `from './x.ts'`, `import './x.ts'` and `import('./x.ts')`, as the formatter writes them. */
const specifiers = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g;

function listImports(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const targets = [...text.matchAll(specifiers)].map(([, name = '']) => join(dirname(join(root, file)), name));
  return targets.filter((target) => existsSync(target)).map((target) => relative(root, target));
}

const files = globSync(['src/**/*.ts', 'portal/src/**/*.{ts,tsx}', 'my/src/**/*.{ts,tsx}'], { cwd: root });
const imports = new Map(files.map((file) => [file, listImports(file)]));

/** Returns whether the rule forbids the import. `$1` in the pattern of the target is what matched in that of the file. */
function forbids({ from, to }: ImportRule, file: string, target: string): boolean {
  const match = new RegExp(from.path).exec(file);
  if (match === null || (from.pathNot !== undefined && new RegExp(from.pathNot).test(file))) return false;
  const patternOf = (path: string) => new RegExp(path.replace('$1', match[1] ?? ''));
  return patternOf(to.path).test(target) && !(to.pathNot !== undefined && patternOf(to.pathNot).test(target));
}

const forbidden = [...imports].flatMap(([file, targets]) =>
  targets.flatMap((target) =>
    rules
      .filter((rule) => forbids(rule, file, target))
      .map(({ name, remedy }) => `${file} imports ${target}: ${name}. ${remedy}`),
  ),
);

/** Returns one circle of imports in `src`, or undefined. */
function findCircle(): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    path.push(file);
    for (const target of imports.get(file) ?? []) {
      const circle = visit(target);
      if (circle !== undefined) return circle;
    }
    path.pop();
    done.add(file);
    return undefined;
  };
  for (const file of files.filter((name) => name.startsWith('src/'))) {
    const circle = visit(file);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

const circle = findCircle();
const problems = [...forbidden, ...(circle === undefined ? [] : [`Files import each other: ${circle.join(' → ')}`])];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${files.length} files, ${problems.length} forbidden imports\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
