export const texts = {
  byName: { de: 'Name', en: 'Name' },
  addEmployee: { de: 'Person hinzufügen', en: 'Add employee' },
  description: {
    de: 'Alle Beschäftigten Ihres Unternehmens mit Abo und Ticket.',
    en: 'All employees of your company with their subscriptions and tickets.',
  },
  searchHint: { de: 'Name, E-Mail, HR-ID oder Ticket', en: 'Name, email, HR ID or ticket' },
  sort: { de: 'Sortierung', en: 'Sort by' },
  oldestFirst: { de: 'Älteste zuerst', en: 'Oldest first' },
  newestFirst: { de: 'Neueste zuerst', en: 'Newest first' },
  changedFirst: { de: 'Zuletzt geänderte zuerst', en: 'Recently changed first' },
  byStatus: { de: 'Abo', en: 'Subscription' },
  byStart: { de: 'Beginn des Abos', en: 'Start of the subscription' },
  byColumn: { de: 'Wie in der Tabelle', en: 'As in the table' },
  start: { de: 'Beginn', en: 'Start' },
  ticket: { de: 'Ticket diesen Monat', en: 'Ticket this month' },
  hrIds: { de: 'HR-IDs', en: 'HR IDs' },
} as const;
