import type { Texts } from '../../app/i18n/texts.ts';

export const texts = {
  description: {
    de: 'Staging schreibt nur an Adressen, die der Betreiber erlaubt. Diese E-Mails wurden nicht gesendet. Ihre Links funktionieren.',
    en: 'Staging writes only to addresses that the operator allows. These mails were not sent. Their links work.',
  },
  productionTitle: { de: 'Nur auf Staging', en: 'On staging only' },
  productionHint: {
    de: 'In der Produktion werden alle E-Mails gesendet.',
    en: 'In production, all mails are sent.',
  },
  emptyTitle: { de: 'Keine nicht gesendeten E-Mails', en: 'No mails that were not sent' },
  emptyHint: {
    de: 'Hier erscheinen E-Mails an Beschäftigte, zum Beispiel Einladungen und neue Tickets.',
    en: 'Mails to employees appear here, such as invitations and new tickets.',
  },
  list: { de: 'Nicht gesendete E-Mails', en: 'Mails that were not sent' },
  employee: { de: 'An', en: 'To' },
  mail: { de: 'E-Mail', en: 'Mail' },
  at: { de: 'Zeitpunkt', en: 'Time' },
  read: { de: 'Text anzeigen', en: 'Show text' },
  readOf: { de: '„{subject}“ an {name} anzeigen', en: 'Show “{subject}” to {name}' },
  open: { de: 'Link öffnen', en: 'Open link' },
  'not-allowed': { de: 'Nicht gesendet: Staging', en: 'Not sent: staging' },
  'no-mail-server': { de: 'Nicht gesendet: kein Mailserver', en: 'Not sent: no mail server' },
  newest: { de: 'Die neuesten {shown} von {count}.', en: 'The newest {shown} of {count}.' },
} as const satisfies Texts;
