import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { checkChart } from './chart.ts';
import { checkCompose } from './compose.ts';
import { checkSettingNames } from './setting-names.ts';
import { deploy, root, runInstalled, runTool } from './tools.ts';

/**
 * Checks the Dockerfile and what is in deploy/. Tools that are not packages of npm are skipped with a line if they are not
 * installed; `.ci/run` installs them.
 */

const readText = (path: string) => readFileSync(join(root, path), 'utf8');

const checkDockerfile = () =>
  validate(readText('Dockerfile')).map(({ range, message }) => `Dockerfile:${range.start.line + 1} ${message}`);

/** Verifies the units as if this checkout were the installation, because their programs must exist. */
function checkUnits(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'transit-units-'));
  try {
    const files = globSync(join(deploy, 'systemd/*.service')).map((file) => {
      const copy = join(folder, basename(file));
      writeFileSync(copy, readFileSync(file, 'utf8').replaceAll('/opt/transit-benefits', root));
      return copy;
    });
    return [
      ...runTool('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', ...files]),
      // From 0, fully confined, to 100.
      ...files.flatMap((file) => runTool('systemd-analyze', ['security', '--offline=true', '--threshold=20', file])),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const checkCaddyfile = () =>
  runTool('caddy', ['validate', '--adapter', 'caddyfile', '--config', join(deploy, 'Caddyfile')], {
    DOMAIN: 'transit.example.com',
  });

const checkShell = () => globSync(join(deploy, '**/*.sh')).flatMap((file) => runTool('sh', ['-n', file]));

function checkVersion(): string[] {
  const { version } = JSON.parse(readText('package.json'));
  const { appVersion } = parse(readText('deploy/helm/Chart.yaml'));
  return appVersion === version ? [] : [`deploy/helm/Chart.yaml: appVersion must be ${version}, as in package.json`];
}

const problems = [
  ...checkDockerfile(),
  ...checkShell(),
  ...checkVersion(),
  ...checkSettingNames(),
  ...checkCompose(),
  ...checkChart(),
  ...runInstalled('systemd-analyze', 'systemd', checkUnits),
  ...runInstalled('caddy', 'caddy', checkCaddyfile),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
