import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { aTicketCharge, makeBillingItems, makeEmployee } from '../../support/factories.ts';
import { createProcessedCompany, month, withOperatorCli } from '../../support/operator-cli.ts';

describe('payroll', () => {
  it('previews, exports and downloads', () =>
    withOperatorCli(async ({ db, env, succeed, refuse }) => {
      const companyId = await createProcessedCompany(db);
      const period = month.toString();
      const of = `--company ${companyId} --period ${period}`;
      await refuse(
        [
          `payroll export ${of}`,
          'Payroll settings are missing. The preview names them; an admin sets them in the settings.',
        ],
        [
          `payroll export --company 99999 --period ${period}`,
          'There is no company 99999: run "company list" to see all.',
        ],
        [
          `payroll download 1 --company ${companyId} --out x.txt`,
          'The company has no such payroll export: check the id and --company.',
        ],
      );
      await succeed(
        `company set ${companyId} --payroll-system datev-lodas --payroll-consultant 1234567 --payroll-client 12345 --wage-type-tax-free 700 --wage-type-flat-tax 701 --wage-type-deduction 9100 --tax-treatment tax-free --benefit-valuation 96`,
      );
      await refuse([`payroll export ${of}`, 'No ticket of this period was billed. Choose another period.']);
      const anna = await makeEmployee(db, companyId, { first_name: 'Anna', last_name: 'Eins' });
      const eva = await makeEmployee(db, companyId, { first_name: 'Eva', last_name: 'Zwei' });
      const shares = { company_share_cents: 3985, employee_share_cents: 2000, plan_type: 'split-pay-plan' } as const;
      await makeBillingItems(db, companyId, [
        aTicketCharge(anna, { period, hr_id: '0007' }),
        aTicketCharge(eva, { period, hr_id: 'E-2', ...shares }),
      ]);
      assert.deepEqual(await succeed(`payroll preview ${of}`), {
        period,
        system: 'datev-lodas',
        isExportable: false,
        lines: 1,
        employees: 1,
        taxFreeCents: 5746,
        flatTaxCents: 0,
        deductionCents: 0,
        line17Cents: 5746,
        leavers: [],
        missingSettings: [],
        problems: [
          {
            code: 'number-unusable',
            employeeId: eva,
            name: 'Eva Zwei',
            hrId: 'E-2',
            remedy:
              'Send a personnel number from 1 to 99999 with the roster ("personnelNumber"), or use the digits of HR ids with "company set --personnel-number-rule hr-id-digits".',
          },
        ],
      });
      await refuse([
        `payroll export ${of}`,
        'Some employees have no usable personnel number. The preview names them and the remedy.',
      ]);
      await succeed(`employee link --company ${companyId} --employee ${eva} --hr-id 8`);
      const made = await succeed(`payroll export ${of}`);
      assert.deepEqual(Object.keys(made), ['id', 'number', 'lines', 'sha256']);
      assert.deepEqual([made.number, made.lines], [1, 3]);
      assert.deepEqual(await succeed(`payroll export ${of}`), made);
      const out = join(String(env.DATA_DIR), 'lodas.txt');
      const written = await succeed(`payroll download ${made.id} --company ${companyId} --out ${out}`);
      const bytes = await readFile(out);
      assert.equal(createHash('sha256').update(bytes).digest('hex'), made.sha256);
      assert.deepEqual([written.sha256, written.sizeBytes], [made.sha256, bytes.length]);
      const date = period.split('-').toReversed().join('/');
      assert.deepEqual(bytes.toString('latin1').split('\r\n').slice(-4), [
        ...[`1;${date};57,46;3;700;7;`, `1;${date};37,46;3;700;8;`, `1;${date};20,00;3;9100;8;`, ''],
      ]);
      assert.equal((await succeed(`payroll preview ${of}`)).lines, 0);

      const sheet = join(String(env.DATA_DIR), 'sheet.pdf');
      const saved = await succeed(`payroll cover-sheet ${made.id} --company ${companyId} --format pdf --out ${sheet}`);
      assert.equal(saved.fileName, `begleitblatt-${period.slice(0, 7)}-1.pdf`);
      assert.equal((await readFile(sheet)).subarray(0, 5).toString(), '%PDF-');
      const handedOver = await succeed(`payroll hand-over ${made.id} --company ${companyId}`);
      assert.deepEqual([handedOver.number, handedOver.handedOverBy], [1, 'Operator']);
      assert.deepEqual(await succeed(`payroll hand-over ${made.id} --company ${companyId}`), handedOver);
      const withdrawn = await succeed(
        `payroll withdraw-handover ${made.id} --company ${companyId} --reason`,
        'Not sent',
      );
      assert.equal(withdrawn.handedOverAt, null);

      const voiding = `payroll void ${made.id} --company ${companyId} --reason`;
      assert.equal((await succeed(voiding, 'Wrong month')).reason, 'Wrong month');
      await refuse(
        [voiding, 'This export has been voided already. Load the page again.', 'Again'],
        [
          `payroll export --company ${companyId} --period ${month.add({ months: 1 })}`,
          'This month has not begun. Export it from its first day on.',
        ],
      );
      const before = month.subtract({ months: 2 });
      assert.match(
        (await succeed(`payroll preview --company ${companyId} --period ${before}`)).warning,
        /^This month is neither the present one/,
      );
      const again = await succeed(`payroll export ${of}`);
      assert.deepEqual([again.number, again.lines, again.sha256], [2, 3, made.sha256]);
    }));
});
