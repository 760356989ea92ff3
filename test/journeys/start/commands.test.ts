import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { run, withFolder } from '../../support/process.ts';

describe("the operator's commands", () => {
  it('work while the service does not run, on a folder that is still empty, also two at once', async () => {
    await withFolder(async (data) => {
      await mkdir(join(data, 'deep'), { recursive: true });
      const own = { DATA_DIR: join(data, 'deep/data') };
      const both = await Promise.all([
        run(['company', 'create', '--name', 'One'], own),
        run(['company', 'create', '--name', 'Two'], own),
      ]);
      assert.deepEqual(
        both.map(({ stderr }) => stderr),
        ['', ''],
      );
      assert.deepEqual(both.map(({ stdout }) => JSON.parse(stdout).id).sort(), [1, 2]);
      const migrated = await run(['migrate'], own);
      const { applied, migrations } = JSON.parse(migrated.stdout);
      assert.deepEqual(applied, []);
      assert(migrations.length > 0);
    });
  });
});
