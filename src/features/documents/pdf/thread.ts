import { composeDocument } from './compose.ts';
import type { PrintedContent } from './content.ts';
import { renderDocument } from './page.ts';

export default (content: PrintedContent): Promise<Uint8Array> => renderDocument(composeDocument(content));
