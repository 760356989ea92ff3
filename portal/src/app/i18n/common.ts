import { de } from './common.de.ts';
import { en } from './common.en.ts';
import { useTexts } from './texts.ts';

export const useCommonTexts = () => useTexts({ en, de });
