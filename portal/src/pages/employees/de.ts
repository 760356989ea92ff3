import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Beschäftigte',
  description: 'Alle Beschäftigten Ihres Unternehmens mit Abo und Ticket.',
  search: 'Suche',
  searchHint: 'Name oder E-Mail-Adresse',
  clearSearch: 'Suche zurücksetzen',
  statuses: 'Abo',
  allStatuses: 'Alle',
  plans: 'Kostenmodell',
  allPlans: 'Alle',
  sort: 'Sortierung',
  oldestFirst: 'Älteste zuerst',
  newestFirst: 'Neueste zuerst',
  changedFirst: 'Zuletzt geänderte zuerst',
  name: 'Name',
  status: 'Abo',
  plan: 'Kostenmodell',
  nextTicket: 'Nächstes Ticket',
  ticket: 'Ticket diesen Monat',
  hrIds: 'HR-IDs',
  contractPending: 'Vereinbarung offen',
  emptyTitle: 'Noch keine Beschäftigten',
  emptyHint: 'Beschäftigte werden mit dem ersten Abgleich einer HR-Integration angelegt.',
  toIntegrations: 'Zu den HR-Integrationen',
};
