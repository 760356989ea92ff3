export const en = {
  label: 'Reading from {provider}',
  waiting: 'Reading from {provider} …',
  reading: 'Pages read: {pages}. Employees read: {people}.',
  readingTotal: 'Pages read: {pages}. Employees read: {people} of {total}.',
} as const;
