import { answerInThread } from '../../thread.ts';
import type { PrintedContent } from './content.ts';
import { letterOf } from './letters.ts';
import { renderLetter } from './render.ts';

answerInThread((content: PrintedContent): Promise<Uint8Array> => renderLetter(letterOf(content)));
