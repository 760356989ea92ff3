import type { Translation } from '../../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Ihr Jobticket',
  hint: '{company} bietet Ihnen ein Jobticket an, {name}. Bitte lesen Sie die Vereinbarung und entscheiden Sie.',
  gone: 'Dieser Link gilt nicht mehr',
  goneHint:
    'Er ist abgelaufen oder wurde durch einen neuen ersetzt. Bitten Sie Ihre Personalabteilung um einen neuen Link.',
  plan: 'Kostenmodell',
  amount: 'Sie zahlen im Monat',
  'fully-subsidized-plan': 'Nichts',
  'deferred-plan': 'Den vollen Ticketpreis',
  'split-pay-plan': 'Ihren Anteil',
  fromSalary: 'Der Betrag wird für jeden Monat mit Ticket vom Entgelt einbehalten.',
  read: 'Vereinbarung lesen (PDF)',
  accept: 'Zustimmen',
  reject: 'Ablehnen',
  consent: 'Wenn Sie zustimmen, gilt die Vereinbarung. Ihr Arbeitgeber wird informiert.',
  rejectTitle: 'Vereinbarung ablehnen?',
  rejectText:
    'Sie erhalten dann kein Ticket. Wenn Sie es sich anders überlegen, wenden Sie sich an Ihre Personalabteilung.',
  acceptedTitle: 'Sie haben zugestimmt',
  acceptedText:
    'Vielen Dank. Ihre Entscheidung wurde am {time} gespeichert. Alles Weitere erfahren Sie von Ihrem Arbeitgeber.',
  rejectedTitle: 'Sie haben abgelehnt',
  rejectedText:
    'Ihre Entscheidung wurde am {time} gespeichert. Wenn Sie es sich anders überlegen, wenden Sie sich an Ihre Personalabteilung.',
  decidedTitle: 'Schon entschieden',
  decidedText: 'Über diese Vereinbarung wurde schon entschieden. Fragen Sie Ihre Personalabteilung.',
};
