export const texts = {
  title: { de: 'Willkommen', en: 'Welcome' },
  hint: {
    de: '{company} hat Sie eingeladen. Ihr Zugriff: {roles}. Wählen Sie ein Passwort für {email}.',
    en: '{company} has invited you. Your access: {roles}. Choose a password for {email}.',
  },
  joinHint: {
    de: '{company} hat Sie eingeladen. Ihr Zugriff: {roles}. Geben Sie das Passwort Ihres Kontos {email} ein.',
    en: '{company} has invited you. Your access: {roles}. Enter the password of your account {email}.',
  },
  join: { de: 'Beitreten', en: 'Join' },
  wrongPassword: { de: 'Das Passwort ist falsch.', en: 'The password is wrong.' },
  name: { de: 'Ihr Name', en: 'Your name' },
  password: { de: 'Passwort', en: 'Password' },
  passwordHint: { de: 'Mindestens 12 Zeichen.', en: 'At least 12 characters.' },
  submit: { de: 'Konto anlegen', en: 'Create account' },
  gone: { de: 'Diese Einladung ist nicht mehr gültig', en: 'This invitation is no longer valid' },
  goneHint: {
    de: 'Sie wurde bereits verwendet, zurückgezogen oder ist abgelaufen. Bitten Sie die Administration Ihres Unternehmens um eine neue Einladung.',
    en: 'It was used, withdrawn or has expired. Ask an admin of your company for a new one.',
  },
  toSignIn: { de: 'Anmelden', en: 'Sign in' },
  passwordCommon: {
    de: 'Dieses Passwort ist zu verbreitet. Wählen Sie mehrere Wörter ohne Zusammenhang.',
    en: 'This password is too common. Choose several unrelated words.',
  },
  passwordContainsAddress: {
    de: 'Das Passwort darf weder Ihre E-Mail-Adresse noch den Teil vor dem @ enthalten.',
    en: 'The password must not contain your email address or the part before the @.',
  },
} as const;
