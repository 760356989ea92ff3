export const texts = {
  wait: { de: 'Sie werden angemeldet.', en: 'You are being signed in.' },
  toSignIn: { de: 'Zurück zur Anmeldung', en: 'Back to sign-in' },
} as const;
