import { answerInThread } from '../../thread.ts';
import { letterOf } from './compose.ts';
import type { PrintedContent } from './content.ts';
import { renderLetter } from './render.ts';

answerInThread((content: PrintedContent): Promise<Uint8Array> => renderLetter(letterOf(content)));
