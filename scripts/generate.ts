import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { en } from '../src/domain/messages/en.ts';
import { createOpenApiDocument } from '../src/operator/openapi.ts';
import { readConfig } from '../src/platform/config/config.ts';
import { openDatabase } from '../src/platform/db/open-database.ts';
import { stripAnnotations } from '../src/platform/http/annotations.ts';
import { lifeCycleDocument } from './generate-life-cycle.ts';
import { rolesDocument } from './generate-roles.ts';
import { generateTypes } from './generate-types.ts';
import { operationsFile, typesFile, writePortalClient } from './portal-client.ts';
import { describePortal } from './portal-openapi.ts';
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

/** Returns the English catalogue of messages for the pages, which import nothing from the service. */
const englishMessages = () =>
  `// Generated from src/domain/messages/en.ts by \`npm run generate\`.\nexport const en = ${JSON.stringify(en, null, 2)} as const;\n`;

const portal = stripAnnotations(await describePortal());
const document = await createOpenApiDocument({ config: readConfig({}) });
const portalClient = await writePortalClient(portal);

const generated = [
  { file: 'openapi/openapi.json', make: async () => `${JSON.stringify(document, null, 2)}\n` },
  { file: sdkTypesFile, make: () => writeSdkTypes(document) },
  { file: 'openapi/portal.json', make: async () => `${JSON.stringify(portal, null, 2)}\n` },
  { file: typesFile, make: async () => portalClient.types },
  { file: operationsFile, make: async () => portalClient.operations },
  { file: 'portal/src/app/i18n/messages.en.gen.ts', make: async () => englishMessages() },
  { file: 'src/platform/db/types.gen.ts', make: typesOfSchema },
  { file: 'docs/subscription-life-cycle.md', make: lifeCycleDocument },
  { file: 'docs/portal-roles.md', make: rolesDocument },
];

const isCheck = process.argv.includes('--check');
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
