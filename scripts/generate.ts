import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { createOpenApiDocument } from '../src/operator/openapi.ts';
import { readConfig } from '../src/platform/config/config.ts';
import { openDatabase } from '../src/platform/db/open-database.ts';
import { iconsFile, writeIcons } from './generate-icons.ts';
import { germanLifeCycleDocument } from './generate-life-cycle.de.ts';
import { lifeCycleDocument } from './generate-life-cycle.ts';
import { germanRolesDocument, rolesDocument } from './generate-roles.ts';
import { generateTypes } from './generate-types.ts';
import { sdkTypesFile, writeSdkTypes } from './sdk-types.ts';

/** Writes the committed files that derive from others. With --check only compares them, and fails on a difference. */

async function typesOfSchema(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'transit-types-'));
  const database = await openDatabase(readConfig({ DATA_DIR: dataDir }), { role: 'command' });
  try {
    return await generateTypes(database.db as unknown as Kysely<unknown>);
  } finally {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const document = await createOpenApiDocument({ config: readConfig({}) });

const isCheck = process.argv.includes('--check');

const generated = [
  { file: 'openapi/openapi.json', make: async () => `${JSON.stringify(document, null, 2)}\n` },
  { file: sdkTypesFile, make: () => writeSdkTypes(document) },
  { file: iconsFile, make: () => writeIcons({ isCheck }) },
  { file: 'src/platform/db/types.gen.ts', make: typesOfSchema },
  { file: 'docs/subscription-life-cycle.md', make: lifeCycleDocument },
  { file: 'docs/portal-roles.md', make: rolesDocument },
  { file: 'docs/de/subscription-life-cycle.md', make: germanLifeCycleDocument },
  { file: 'docs/de/portal-roles.md', make: germanRolesDocument },
];

for (const { file, make } of generated) {
  const text = await make();
  const path = new URL(`../${file}`, import.meta.url);
  const committed = await readFile(path, 'utf8').catch(() => '');
  if (committed === text) continue;
  if (isCheck) {
    process.stderr.write(`${file} is out of date: run \`npm run generate\` and commit it.\n`);
    process.exitCode = 1;
  } else {
    await writeFile(path, text);
    process.stdout.write(`${file} written\n`);
  }
}
