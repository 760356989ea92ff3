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
  name: { de: 'Ihr Name', en: 'Your name' },
  submit: { de: 'Konto anlegen', en: 'Create account' },
  gone: { de: 'Diese Einladung ist nicht mehr gültig', en: 'This invitation is no longer valid' },
  goneHint: {
    de: 'Sie wurde bereits verwendet, zurückgezogen oder ist abgelaufen. Bitten Sie die Administration Ihres Unternehmens um eine neue Einladung.',
    en: 'It was used, withdrawn or has expired. Ask an admin of your company for a new one.',
  },
  toSignIn: { de: 'Anmelden', en: 'Sign in' },
} as const;
