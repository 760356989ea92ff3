import { texts } from './common-texts.ts';
import { useTexts } from './texts.ts';

export const useCommonTexts = () => useTexts(texts);
