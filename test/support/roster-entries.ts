export const today = Temporal.PlainDate.from('2026-11-15');
/** The limits of a roster that the service has by default. */
export const limits = { maxBytes: 2 ** 27, maxEntries: 250_000, today };

export const entry = (number: number) => ({
  hrId: `HR-${number}`,
  firstName: ['Anna', 'Jörg', 'Zoë'][number % 3] ?? '',
  lastName: `Müller ${number}`,
  email: `employee.${number}@example.com`,
  profileImage: number % 2 === 0 ? null : `https://images.example.com/employees/${number}.jpg`,
  dateOfBirth: '1990-12-10',
  startDate: `20${10 + (number % 15)}-02-28`,
  terminationDate: null,
  autoSyncEmployee: number % 2 === 0,
  absences: number % 10 === 0 ? [{ startDate: '2026-03-01', endDate: null, approved: true }] : [],
});

/** Returns `count` entries, from number `from` on. */
export const entries = (count: number, from = 0) => Array.from({ length: count }, (_, index) => entry(from + index));
