import { answerInThread } from '../../thread.ts';
import type { DocumentContent } from './content.ts';
import { letterOf } from './letters.ts';
import { renderLetter } from './render.ts';

answerInThread((content: DocumentContent): Promise<Uint8Array> => renderLetter(letterOf(content)));
