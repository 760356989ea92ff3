import { composeDocument } from './compose.ts';
import type { PrintedContent } from './content.ts';
import { type Letters, renderLetters } from './letter.ts';
import { renderDocument } from './page.ts';

export default (printed: PrintedContent | Letters): Promise<Uint8Array> =>
  printed.kind === 'letters' ? renderLetters(printed) : renderDocument(composeDocument(printed));
