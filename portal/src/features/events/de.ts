import type { Translation } from '../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Ereignisse',
  description:
    'Alles, was in Ihrem Unternehmen geschehen ist, so wie Ihre Systeme es erhalten: über Webhooks oder mit GET /v1/events. Wird 30 Tage lang aufbewahrt.',
  list: 'Ereignisse',
  filter: 'Arten von Ereignissen',
  all: 'Alle',
  event: 'Ereignis',
  when: 'Zeit',
  sequence: 'Nummer',
  payload: 'Inhalt',
  show: 'Inhalt',
  showOf: 'Inhalt von Ereignis {sequence}',
  emptyTitle: 'Noch keine Ereignisse',
  emptyHint:
    'Ereignisse erscheinen hier, sobald sich etwas ändert: Beschäftigte, ein Abo, ein Ticket, ein Posten oder ein Abgleich.',
  reference: 'API-Referenz',
};
