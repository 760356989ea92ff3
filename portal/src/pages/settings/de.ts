import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Einstellungen',
  description: 'So arbeitet der Dienst für Ihr Unternehmen. Jede Änderung steht unter „Aktivität“.',
  name: 'Name des Unternehmens',
  nameHint: 'Steht auf Dokumenten und in Einladungen.',
  locale: 'Sprache und Zahlenformat',
  localeHint: 'Für Dokumente und für Beträge in der API, zum Beispiel de-DE oder en-GB.',
  contribution: 'Eigenanteil der Beschäftigten in Euro',
  contributionHint: 'Was Beschäftigte bei geteilter Zahlung je Ticket zahlen. Gilt für neue Abos.',
  cutOffDay: 'Stichtag',
  cutOffDayHint:
    'Bis zu diesem Tag des Monats bekannte Änderungen gelten ab dem nächsten Monat, spätere einen Monat danach.',
  guardMinimumLinked: 'Abgänge prüfen ab so vielen verknüpften Beschäftigten',
  guardMinimumLinkedHint: 'Kleinere Personallisten werden ohne Prüfung übernommen.',
  guardMaximumAbsentPercent: 'Abgänge ohne Freigabe, in Prozent',
  guardMaximumAbsentPercentHint: 'Fehlen mehr Beschäftigte in einer Personalliste, muss ihr Abgang freigegeben werden.',
  retentionDays: 'Aufbewahrung in Tagen',
  retentionDaysHint: 'So lange bleiben die Daten ausgeschiedener Beschäftigter erhalten, bevor sie gelöscht werden.',
  timeZone: 'Zeitzone',
  plan: 'Modell für neue Abos',
  operatorHint: 'Vom Betreiber festgelegt. Wenden Sie sich an den Support, um es zu ändern.',
  wrong: 'Geben Sie einen gültigen Wert ein.',
  wrongLocale: 'Geben Sie Sprache und Land an, zum Beispiel de-DE oder en-GB.',
  save: 'Änderungen speichern',
  saved: 'Die Einstellungen sind gespeichert.',
  fixed: 'Vom Betreiber festgelegt',
};
