export const texts = {
  label: { de: 'Lesen aus {provider}', en: 'Reading from {provider}' },
  waiting: { de: 'Lesen aus {provider} …', en: 'Reading from {provider} …' },
  reading: {
    de: 'Gelesene Seiten: {pages}. Gelesene Beschäftigte: {people}.',
    en: 'Pages read: {pages}. Employees read: {people}.',
  },
  readingTotal: {
    de: 'Gelesene Seiten: {pages}. Gelesene Beschäftigte: {people} von {total}.',
    en: 'Pages read: {pages}. Employees read: {people} of {total}.',
  },
} as const;
