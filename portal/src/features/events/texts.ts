export const texts = {
  description: {
    de: 'Alles, was in Ihrem Unternehmen geschehen ist, so wie Ihre Systeme es erhalten: über Webhooks oder mit GET /v1/events. Wird 30 Tage lang aufbewahrt.',
    en: 'Everything that happened in your company, as your systems receive it: by webhooks, or with GET /v1/events. Kept for 30 days.',
  },
  filter: { de: 'Arten von Ereignissen', en: 'Types of events' },
  when: { de: 'Zeit', en: 'Time' },
  showOf: { de: 'Inhalt von Ereignis {sequence}', en: 'Payload of event {sequence}' },
  emptyTitle: { de: 'Noch keine Ereignisse', en: 'No events yet' },
  emptyHint: {
    de: 'Ereignisse erscheinen hier, sobald sich etwas ändert: Beschäftigte, ein Abo, ein Ticket, ein Posten oder ein Abgleich.',
    en: 'Events appear here as soon as something changes: an employee, a subscription, a ticket, a charge or a sync.',
  },
} as const;
