export const texts = {
  title: { de: 'Anmelden', en: 'Sign in' },
  hint: {
    de: 'API-Schlüssel, HR-Integrationen, Beschäftigte und Abrechnung Ihres Unternehmens.',
    en: 'API keys, HR integrations, employees and billing of your company.',
  },
  email: { de: 'E-Mail', en: 'Email' },
  password: { de: 'Passwort', en: 'Password' },
  submit: { de: 'Anmelden', en: 'Sign in' },
  sso: { de: 'Single Sign-on', en: 'Single sign-on' },
  ssoNone: {
    de: 'Für diese Adresse gibt es kein Single Sign-on. Verwenden Sie Ihr Passwort.',
    en: 'This address has no single sign-on. Use your password.',
  },
  wrong: { de: 'E-Mail oder Passwort ist falsch.', en: 'Incorrect email or password.' },
  tooMany: {
    de: 'Zu viele Versuche. Versuchen Sie es in {count} Sekunden erneut.',
    en: 'Too many attempts. Try again in {count} seconds.',
  },
  invite: {
    de: 'Noch kein Konto? Die Administration Ihres Unternehmens kann Sie einladen.',
    en: 'No account yet? An admin of your company can invite you.',
  },
  docs: { de: 'API-Referenz', en: 'API reference' },
  code: {
    de: 'Code Ihrer Authentifizierungs-App oder Wiederherstellungscode',
    en: 'Code of your authenticator app, or a recovery code',
  },
  wrongCode: {
    de: 'Der Code ist falsch oder wurde schon benutzt. Geben Sie den nächsten ein.',
    en: 'The code is wrong or was used before. Enter the next one.',
  },
  passkey: { de: 'Passkey verwenden', en: 'Use a passkey' },
  passkeyNeeded: {
    de: 'Ihr Passwort ist richtig. Bestätigen Sie nun mit Ihrem Passkey.',
    en: 'Your password is right. Now confirm with your passkey.',
  },
  passkeyNone: {
    de: 'Es wurde kein Passkey verwendet. Versuchen Sie es erneut, oder melden Sie sich mit Ihrem Passwort an.',
    en: 'No passkey was used. Try again, or sign in with your password.',
  },
  forgot: { de: 'Passwort vergessen?', en: 'Forgot your password?' },
} as const;
