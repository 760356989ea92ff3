export const texts = {
  title: { de: 'Single Sign-on', en: 'Single sign-on' },
  wait: { de: 'Sie werden angemeldet.', en: 'You are being signed in.' },
  toSignIn: { de: 'Zurück zur Anmeldung', en: 'Back to sign-in' },
} as const;
