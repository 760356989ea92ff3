import type { CoverSheetFormat } from '../rules/formats.ts';
import { composeCoverSheet } from './compose.ts';
import type { CoverSheet } from './load.ts';
import { renderCoverSheetPdf } from './pdf.ts';
import { renderCoverSheetWorkbook } from './workbook.ts';

export interface CoverSheetTask {
  sheet: CoverSheet;
  format: CoverSheetFormat;
  isTest: boolean;
}

/** Returns the bytes of a cover sheet. The portal runs it on a thread. */
export default function renderCoverSheet({ sheet, format, isTest }: CoverSheetTask): Promise<Uint8Array> {
  const composed = composeCoverSheet(sheet);
  return format === 'pdf' ? renderCoverSheetPdf(composed, isTest) : renderCoverSheetWorkbook(composed);
}
