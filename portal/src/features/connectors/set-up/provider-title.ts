import type { Provider } from '../../../../../src/domain/enums.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { providerForms } from './providers.ts';

/** Returns a function that names an HR system as people call it. */
export function useProviderTitle() {
  const t = useTexts({ en, de });
  return (provider: Provider): string => providerForms[provider].title ?? t('sftp');
}
