export const en = {
  title: 'Events',
  description:
    'Everything that happened in your company, as your systems receive it: by webhooks, or with GET /v1/events. Kept for 30 days.',
  list: 'Events',
  filter: 'Types of events',
  all: 'All',
  event: 'Event',
  when: 'Time',
  sequence: 'Sequence',
  payload: 'Payload',
  show: 'Payload',
  showOf: 'Payload of event {sequence}',
  emptyTitle: 'No events yet',
  emptyHint:
    'Events appear here as soon as something changes: an employee, a subscription, a ticket, a charge or a sync.',
  reference: 'API reference',
} as const;
