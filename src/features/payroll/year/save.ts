import { writeOutput } from '../../../platform/cli/files.ts';
import { OperatorError } from '../../../platform/config/operator-error.ts';
import type { CompanyContext } from '../../context.ts';
import { yearFormats } from '../rules/formats.ts';
import { yearFileName } from './render.ts';
import { getYearFile } from './year.ts';

interface SaveInput {
  year: number;
  out: string;
}

/** Writes the file of a year to a path, whose ending decides about the format. Returns its sums. */
export async function saveYearFile({ db, companyId, by }: CompanyContext, { year, out }: SaveInput) {
  const format = yearFormats.find((one) => out.toLowerCase().endsWith(`.${one}`));
  if (format === undefined) throw new OperatorError(`--out must end in .csv or .xlsx, but is "${out}".`);
  const file = await getYearFile(db, { companyId, year, now: by.at });
  const { default: render } = await import('./render.ts');
  const content = await render({ file, format });
  await writeOutput(out, content);
  const { totals, lines, asOf } = file;
  return {
    ...{ year, asOf, out, fileName: yearFileName(file, format), sizeBytes: content.length, employees: lines.length },
    line17Cents: totals.taxFreeCents,
    flatTaxCents: totals.flatTaxCents,
    deductionCents: totals.deductionCents,
    exported: totals.exported,
    differences: lines.filter(({ difference }) => difference !== null).length,
  };
}
