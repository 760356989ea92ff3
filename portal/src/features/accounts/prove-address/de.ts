import type { Translation } from '../../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Adresse bestätigen',
  description:
    'Bestätigen Sie, dass {email} Ihre Adresse ist. Danach können Sie alle Unternehmen öffnen, die diese Adresse eingeladen haben.',
  password: 'Wenn Sie schon ein Konto in einem anderen Unternehmen haben, gilt dessen Passwort ab jetzt auch hier.',
  submit: 'Adresse bestätigen',
  done: 'Die Adresse ist bestätigt. Ihre anderen Sitzungen wurden beendet.',
  wrong:
    'Dieser Link gehört nicht zu Ihrem Konto, ist abgelaufen oder wurde schon verwendet. Fordern Sie unter „Konto“ einen neuen an.',
  toAccount: 'Zum Konto',
};
