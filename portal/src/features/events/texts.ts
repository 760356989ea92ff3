export const texts = {
  title: { de: 'Ereignisse', en: 'Events' },
  description: {
    de: 'Alles, was in Ihrem Unternehmen geschehen ist, so wie Ihre Systeme es erhalten: über Webhooks oder mit GET /v1/events. Wird 30 Tage lang aufbewahrt.',
    en: 'Everything that happened in your company, as your systems receive it: by webhooks, or with GET /v1/events. Kept for 30 days.',
  },
  list: { de: 'Ereignisse', en: 'Events' },
  filter: { de: 'Arten von Ereignissen', en: 'Types of events' },
  all: { de: 'Alle', en: 'All' },
  event: { de: 'Ereignis', en: 'Event' },
  when: { de: 'Zeit', en: 'Time' },
  sequence: { de: 'Nummer', en: 'Sequence' },
  payload: { de: 'Inhalt', en: 'Payload' },
  show: { de: 'Inhalt', en: 'Payload' },
  showOf: { de: 'Inhalt von Ereignis {sequence}', en: 'Payload of event {sequence}' },
  emptyTitle: { de: 'Noch keine Ereignisse', en: 'No events yet' },
  emptyHint: {
    de: 'Ereignisse erscheinen hier, sobald sich etwas ändert: Beschäftigte, ein Abo, ein Ticket, ein Posten oder ein Abgleich.',
    en: 'Events appear here as soon as something changes: an employee, a subscription, a ticket, a charge or a sync.',
  },
  reference: { de: 'API-Referenz', en: 'API reference' },
} as const;
