import type { Provider } from '../../../../../src/domain/enums.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { providerForms } from './providers.ts';
import { texts } from './texts.ts';

/** Returns a function that names an HR system as people call it. */
export function useProviderTitle() {
  const t = useTexts(texts);
  return (provider: Provider): string => providerForms[provider].title ?? t('sftp');
}
