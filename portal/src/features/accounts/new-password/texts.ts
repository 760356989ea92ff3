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
  submit: { de: 'Passwort setzen', en: 'Set the password' },
  done: {
    de: 'Ihr Passwort wurde geändert. Melden Sie sich damit an.',
    en: 'Your password has been changed. Sign in with it.',
  },
  gone: { de: 'Dieser Link ist abgelaufen oder wurde benutzt.', en: 'This link has expired or was used.' },
  again: { de: 'Neuen Link anfordern', en: 'Request a new link' },
  toSignIn: { de: 'Zur Anmeldung', en: 'To sign-in' },
} as const;
