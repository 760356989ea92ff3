import { composeDocument } from './compose.ts';
import type { PrintedContent } from './content.ts';
import { type Letters, renderLetters } from './letter.ts';
import { renderDocument } from './page.ts';

/** Draws the barcode of a ticket. The library for it is loaded with the first one. */
async function drawCode(printed: PrintedContent): Promise<PrintedContent> {
  if (printed.kind !== 'ticket-confirmation' || !printed.barcode) return printed;
  const { drawAztecOnce } = await import('../../wallet/aztec.ts');
  return { ...printed, squares: await drawAztecOnce(Buffer.from(printed.barcode, 'base64').toString('latin1')) };
}

export default async (printed: PrintedContent | Letters): Promise<Uint8Array> =>
  printed.kind === 'letters' ? renderLetters(printed) : renderDocument(composeDocument(await drawCode(printed)));
