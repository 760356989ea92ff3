export const texts = {
  title: { de: 'Neues Passwort', en: 'New password' },
  requestHint: {
    de: 'Geben Sie Ihre E-Mail-Adresse ein. Wenn es dazu ein Konto gibt, erhalten Sie einen Link, um ein neues Passwort zu wählen.',
    en: 'Enter your email address. If it has an account, you receive a link to choose a new password.',
  },
  hint: {
    de: 'Wählen Sie ein neues Passwort. Alle Ihre Sitzungen werden beendet.',
    en: 'Choose a new password. All your sessions will be ended.',
  },
  email: { de: 'E-Mail', en: 'Email' },
  request: { de: 'Link senden', en: 'Send the link' },
  requested: {
    de: 'Wenn es zu dieser Adresse ein Konto gibt, ist der Link unterwegs. Er gilt eine Stunde.',
    en: 'If this address has an account, the link is on its way. It works for one hour.',
  },
  noMail: {
    de: 'Dieser Dienst sendet keine E-Mails. Bitten Sie die Administration Ihres Unternehmens um einen Link für ein neues Passwort.',
    en: 'This service does not send email. Ask an admin of your company for a link to choose a new password.',
  },
  password: { de: 'Neues Passwort', en: 'New password' },
  passwordHint: { de: 'Mindestens 12 Zeichen.', en: 'At least 12 characters.' },
  submit: { de: 'Passwort setzen', en: 'Set the password' },
  done: {
    de: 'Ihr Passwort wurde geändert. Melden Sie sich damit an.',
    en: 'Your password has been changed. Sign in with it.',
  },
  gone: { de: 'Dieser Link ist abgelaufen oder wurde benutzt.', en: 'This link has expired or was used.' },
  again: { de: 'Neuen Link anfordern', en: 'Request a new link' },
  toSignIn: { de: 'Zur Anmeldung', en: 'To sign-in' },
  passwordCommon: {
    de: 'Dieses Passwort ist zu verbreitet. Wählen Sie mehrere Wörter ohne Zusammenhang.',
    en: 'This password is too common. Choose several unrelated words.',
  },
  passwordContainsAddress: {
    de: 'Das Passwort darf weder Ihre E-Mail-Adresse noch den Teil vor dem @ enthalten.',
    en: 'The password must not contain your email address or the part before the @.',
  },
} as const;
