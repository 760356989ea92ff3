/** The texts of forms and of the frame around pages before sign-in, which the sign-in page loads. */
export const texts = {
  brand: { de: 'Transit Benefits', en: 'Transit Benefits' },
  language: { de: 'Sprache', en: 'Language' },
  switchScheme: { de: 'Darstellung', en: 'Appearance' },
  light: { de: 'Hell', en: 'Light' },
  dark: { de: 'Dunkel', en: 'Dark' },
  system: { de: 'System', en: 'System' },
  fieldMissing: { de: 'Füllen Sie dieses Feld aus.', en: 'Fill in this field.' },
  fieldChoose: { de: 'Wählen Sie etwas aus.', en: 'Choose an option.' },
  fieldEmail: {
    de: 'Geben Sie eine E-Mail-Adresse ein, etwa name@example.com.',
    en: 'Enter an email address, such as name@example.com.',
  },
  fieldUrl: {
    de: 'Geben Sie eine vollständige Adresse ein, etwa https://example.com.',
    en: 'Enter a complete address, such as https://example.com.',
  },
  fieldTooShort: { de: 'Geben Sie mindestens {limit} Zeichen ein.', en: 'Enter at least {limit} characters.' },
  fieldInvalid: { de: 'Dieser Wert ist ungültig. Berichtigen Sie ihn.', en: 'This value is not valid. Correct it.' },
} as const;
