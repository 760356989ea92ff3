export const texts = {
  given: { de: 'Wie wurde zugestimmt?', en: 'How did they agree?' },
  'on-paper': { de: 'Auf Papier', en: 'On paper' },
  electronically: { de: 'Elektronisch, etwa per E-Mail', en: 'Electronically, for example by email' },
  on: { de: 'Datum der Zustimmung', en: 'Date of consent' },
  scan: {
    de: 'Scan der unterschriebenen Vereinbarung (PDF, optional)',
    en: 'Scan of the signed agreement (PDF, optional)',
  },
  scanName: { de: 'Unterschriebene Beitragsvereinbarung (Scan)', en: 'Signed contribution agreement (scan)' },
  hint: {
    de: 'In der Vereinbarung steht, wie und wann zugestimmt wurde und dass Sie es erfasst haben.',
    en: 'The agreement states how and when the employee agreed, and that you recorded it.',
  },
} as const;
