import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { findViolations } from '../../scripts/check-layers.ts';

const empty = 'export type Empty = never;\n';
const importing = (path: string) => `import type { Empty } from '${path}';\nexport type Same = Empty;\n`;

/** Writes the files to a temporary folder and returns what the check reports about them. */
async function check(files: Record<string, string>): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), 'transit-layers-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(join(root, dirname(file)), { recursive: true });
      await writeFile(join(root, file), text);
    }
    return findViolations(root).map(({ file, line, problem }) => `${file}:${line} ${problem}`);
  } finally {
    await rm(root, { recursive: true });
  }
}

describe('layers', () => {
  it('accepts imports from lower layers and from the same folder', async () => {
    const reported = await check({
      'src/domain/money.ts': empty,
      'src/platform/http/view.ts': importing('../domain/money.ts'),
      'src/platform/http/links.ts': importing('./view.ts'),
      'test/http/view.test.ts': importing('../../src/http/view.ts'),
    });
    assert.deepEqual(reported, []);
  });

  it('reports an import of a higher layer', async () => {
    const reported = await check({
      'src/features/employees/contract.ts': empty,
      'src/platform/http/view.ts': `\n${importing('../employees/schema.ts')}`,
    });
    assert.deepEqual(reported, ['src/platform/http/view.ts:2 src/http imports src/features/employees/contract.ts, which is above it']);
  });

  it('reports dynamic imports, exports and files of worker threads', async () => {
    const reported = await check({
      'src/platform/http/view.ts': empty,
      'src/domain/a.ts': `export * from '../http/view.ts';\n`,
      'src/domain/b.ts': `export const load = () => import('../http/view.ts');\n`,
      'src/domain/c.ts': `export const file = new URL('../http/view.ts', import.meta.url);\n`,
    });
    assert.equal(reported.length, 3);
  });

  it('reports a cycle between files', async () => {
    const reported = await check({ 'src/http/a.ts': importing('./b.ts'), 'src/http/b.ts': importing('./a.ts') });
    assert.deepEqual(reported, ['src/http/a.ts:1 cycle between files: src/http/a.ts → src/http/b.ts → src/http/a.ts']);
  });

  it('reports a cycle between folders, although no file is part of a cycle', async () => {
    const reported = await check({
      'src/portal/users/a.ts': importing('../keys/a.ts'),
      'src/portal/users/b.ts': empty,
      'src/portal/keys/a.ts': empty,
      'src/portal/keys/b.ts': importing('../users/b.ts'),
    });
    assert.deepEqual(reported, [
      'src/portal/keys/b.ts:1 cycle between folders: src/portal/keys → src/portal/users → src/portal/keys',
    ]);
  });

  for (const [from, to] of [
    ['bench/a.ts', 'torture/b.ts'],
    ['torture/a.ts', 'bench/b.ts'],
  ] as const) {
    it(`reports that ${dirname(from)} imports ${dirname(to)}`, async () => {
      const reported = await check({ [from]: importing(`../${to}`), [to]: empty });
      assert.deepEqual(reported, [`${from}:1 ${dirname(from)} imports ${to}, which is beside it`]);
    });
  }

  it('reports that the pages of the portal import code of the service', async () => {
    const reported = await check({
      'src/platform/http/portal/schemas.ts': empty,
      'portal/src/api.tsx': importing('../../src/portal/schemas.ts'),
    });
    assert.deepEqual(reported, ['portal/src/api.tsx:1 portal imports src/platform/http/portal/schemas.ts, which is above it']);
  });

  for (const folder of ['bench', 'harness', 'scripts', 'test', 'torture']) {
    it(`reports that the service imports ${folder}`, async () => {
      const reported = await check({ [`${folder}/a.ts`]: empty, 'src/main.ts': importing(`../${folder}/a.ts`) });
      assert.deepEqual(reported, [`src/main.ts:1 src/main.ts imports ${folder}/a.ts, which is above it`]);
    });
  }

  it('reports a query that imports a presenter', async () => {
    const reported = await check({
      'src/features/employees/present.ts': empty,
      'src/features/employees/store.ts': importing('./present.ts'),
    });
    assert.deepEqual(reported, ['src/features/employees/store.ts:1 a query imports src/features/employees/present.ts']);
  });

  it('reports a file that belongs to no layer', async () => {
    assert.deepEqual(await check({ 'src/new-slice/routes.ts': empty }), [
      'src/new-slice/routes.ts:1 belongs to no layer',
    ]);
  });
});
