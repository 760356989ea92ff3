import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { listManifests } from './chart.ts';
import { deploy, root } from './tools.ts';

/** Checks that every setting in the files exists, so that none of them outlives a renaming. */

const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Named {
  place: string;
  names: string[];
}

const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

function listUses(): Named[] {
  const { services } = parse(read('deploy/compose.yaml'), { merge: true });
  const ours = Object.entries<{ image: string; environment?: object }>(services).filter(([, { image }]) =>
    image.startsWith('transit-benefits'),
  );
  const units = globSync('systemd/*', { cwd: deploy }).map((file) => join('deploy', file));
  const pods = listManifests().flatMap(({ kind, spec }) => {
    const containers = (spec as { template?: { spec?: { containers: { env?: { name: string }[] }[] } } }).template
      ?.spec;
    return (containers?.containers ?? []).map(({ env = [] }) => ({ place: kind, names: env.map(({ name }) => name) }));
  });
  return [
    { place: 'Dockerfile', names: namesIn(read('Dockerfile'), /^(?:ENV| {3}) ([A-Z_]+)=/gm) },
    ...ours.map(([name, { environment = {} }]) => ({ place: `compose.yaml ${name}`, names: Object.keys(environment) })),
    ...units.map((file) => ({ place: file, names: namesIn(read(file), /(?:^|[= ])([A-Z_]{3,})=/gm) })),
    ...pods,
  ];
}

/** Variables that other programs read. */
const foreign = /^(PATH$|AWS_)/;

export function checkSettingNames(): string[] {
  const known = new Set(namesIn(read('.env.example'), /^#?([A-Z][A-Z_]+)=/gm));
  const uses = listUses();
  const unknown = uses.flatMap(({ place, names }) =>
    names
      .filter((name) => !known.has(name) && !foreign.test(name))
      .map((name) => `${place}: there is no setting ${name}`),
  );
  const empty = uses.filter(({ place, names }) => names.length === 0 && !place.startsWith('deploy/'));
  return [...unknown, ...empty.map(({ place }) => `${place}: no settings were found`)];
}
