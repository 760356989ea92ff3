import { isTestIn } from '../../../domain/test-mark.ts';
import { writeOutput } from '../../../platform/cli/files.ts';
import type { CompanyContext } from '../../context.ts';
import type { CoverSheetFormat } from '../rules/formats.ts';
import { coverSheetName } from './compose.ts';
import { type CoverSheet, loadCoverSheet } from './load.ts';

interface SaveInput {
  id: number;
  format: CoverSheetFormat;
  out: string;
}

/** Writes the cover sheet of an export to a path. */
export async function saveCoverSheet({ config, db, companyId }: CompanyContext, { id, format, out }: SaveInput) {
  const sheet: CoverSheet = await loadCoverSheet(db, companyId, id);
  const { default: render } = await import('./render.ts');
  const content = await render({ sheet, format, isTest: isTestIn(config.environment) });
  await writeOutput(out, content);
  return { id, fileName: `${coverSheetName(sheet)}.${format}`, out, sizeBytes: content.length };
}
