import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';

/** Builds the package: plain JavaScript and declarations in `dist`, as ES modules and as CommonJS. */
const folder = import.meta.dirname;
const dist = join(folder, 'dist');
rmSync(dist, { recursive: true, force: true });
const compile = (...options: string[]) =>
  execFileSync('tsc', ['-p', join(folder, 'tsconfig.build.json'), ...options], { stdio: 'inherit' });
compile();
// The same as CommonJS, for programs that use `require`.
const cjs = join(dist, 'cjs');
compile(
  '--outDir',
  cjs,
  ...['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'],
);
writeFileSync(join(cjs, 'package.json'), '{ "type": "commonjs" }\n');
// The compiler leaves `.ts` in the imports of declarations, which only newer compilers understand.
for (const file of globSync('**/*.d.ts', { cwd: dist })) {
  const path = join(dist, file);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
}
// The command line shares the reading of roster files with the service. Everything it needs becomes part of its file, so
// that the package has no dependencies.
const bundled = (await build({
  configFile: false,
  root: folder,
  logLevel: 'warn',
  ssr: { noExternal: true },
  build: {
    ssr: join(folder, 'src/cli/main.ts'),
    outDir: dist,
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'cli.js' } },
  },
})) as Rolldown.RolldownOutput;

/** Returns the licences of the packages that have become part of the command line. They must go with it. */
function collectLicenses({ output: [chunk] }: Rolldown.RolldownOutput): string {
  const packages = chunk.moduleIds.flatMap((id) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
  const texts = [...new Set(packages)].sort().map((path) => {
    const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: path });
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const text = file === undefined ? '' : readFileSync(join(path, file), 'utf8');
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), collectLicenses(bundled));
copyFileSync(join(folder, '../LICENSE'), join(folder, 'LICENSE'));
