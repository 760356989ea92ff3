import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type ImportRule, rules } from './import-rules.ts';

/** Checks which file imports which (scripts/import-rules.ts). Imports of types count: they tie files together for the reader. */

const root = join(import.meta.dirname, '..');

/** `from './x.ts'`, `import './x.ts'` and `import('./x.ts')`, as the formatter writes them, with what is imported. */
const specifiers = /(?:\b(?:import|export)\s+(type\s)?(?:\{([^}]*)\}|[\w*\s]+)\s*from|\bimport)\s*\(?\s*'(\.[^']+)'/g;

const areTypes = (names: string) =>
  names.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '));

/** Returns the files that a file imports, and whether it imports only types of them. */
function listImports(file: string): Map<string, boolean> {
  const text = readFileSync(join(root, file), 'utf8');
  const found = new Map<string, boolean>();
  for (const [, type, names, name = ''] of text.matchAll(specifiers)) {
    const target = join(dirname(join(root, file)), name);
    if (!existsSync(target)) continue;
    const isType = type !== undefined || (names !== undefined && areTypes(names));
    found.set(relative(root, target), isType && (found.get(relative(root, target)) ?? true));
  }
  return found;
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
  [...targets].flatMap(([target, isType]) =>
    rules
      .filter((rule) => !(isType && rule.allowsTypes) && forbids(rule, file, target))
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
    for (const target of imports.get(file)?.keys() ?? []) {
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
