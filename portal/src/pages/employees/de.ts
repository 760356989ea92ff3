import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Beschäftigte',
  description: 'Alle, die eine Integration oder eine Person hierher gebracht hat.',
  search: 'Suche',
  searchHint: 'Name oder E-Mail-Adresse',
  clearSearch: 'Suche leeren',
  statuses: 'Abo',
  allStatuses: 'Alle',
  plans: 'Tarif',
  allPlans: 'Alle',
  sort: 'Reihenfolge',
  oldestFirst: 'Älteste zuerst',
  newestFirst: 'Neueste zuerst',
  changedFirst: 'Zuletzt geändert zuerst',
  name: 'Name',
  status: 'Abo',
  plan: 'Tarif',
  nextTicket: 'Nächstes Ticket',
  ticket: 'Ticket diesen Monat',
  hrIds: 'HR-IDs',
  contractPending: 'Vereinbarung nicht entschieden',
  emptyTitle: 'Noch keine Beschäftigten',
  emptyHint: 'Sie kommen mit der ersten Personalliste einer HR-Integration.',
  toIntegrations: 'Zu den HR-Integrationen',
};
