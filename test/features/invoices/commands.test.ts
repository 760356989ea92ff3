import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeEmployee } from '../../support/factories.ts';
import { testSeller } from '../../support/invoicing.ts';
import { createProcessedCompany, month, starting, withOperatorCli } from '../../support/operator-cli.ts';
import { pluck } from '../../support/pluck.ts';

describe('the commands for invoices', () => {
  it('set seller and buyer, and list and save invoices without a worker', () =>
    withOperatorCli(async ({ db, env, succeed, fail }) => {
      const company = await createProcessedCompany(db, month.subtract({ days: 1 }));
      await makeEmployee(db, company, starting(month));
      const folder = env.DATA_DIR ?? '';
      const file = join(folder, 'seller.json');
      await writeFile(file, JSON.stringify({ ...testSeller, iban: 'DE00' }));
      assert.match(await fail(`operator set --seller ${file}`), /"iban" must be an IBAN with the right check digits/);
      await writeFile(file, JSON.stringify(testSeller));
      assert.deepEqual(await succeed(`operator set --seller ${file}`), { seller: testSeller });
      assert.deepEqual(await succeed('operator show'), { seller: testSeller });
      const address = `--street Hauptstr.1 --post-code 10115 --city Berlin --vat-id de987654321`;
      assert.equal((await succeed(`company set ${company} ${address}`)).changes.length, 4);
      assert.match(
        await fail(`company set ${company} --buyer-reference 04011000-1234512345-60`),
        /^--buyer-reference must be a Leitweg-ID with the right check digits/,
      );
      await succeed('lifecycle run');
      const invoices = await succeed(`invoice list --company ${company}`);
      assert.deepEqual(pluck(invoices, 'number', 'type', 'period'), [['TB-000001', 'invoice', month.toString()]]);
      const { id } = invoices[0];
      for (const [format, start] of [
        ['pdf', '%PDF-1.7'],
        ['xrechnung', '<?xml version="1.0" encoding="UTF-8"?>\n<Invoice '],
        ['cii', '<?xml version="1.0" encoding="UTF-8"?>\n<rsm:CrossIndustryInvoice '],
      ] as const) {
        const out = join(folder, format);
        const saved = await succeed(`invoice download ${id} --company ${company} --format ${format} --out ${out}`);
        const bytes = await readFile(out);
        assert.equal(saved.sizeBytes, bytes.length);
        assert.ok(bytes.toString('latin1').startsWith(start), format);
      }
      const unknown = `invoice download 999 --company ${company} --format pdf --out ${join(folder, 'x')}`;
      assert.match(await fail(unknown), /has no such invoice: check the id/);
    }));
});
