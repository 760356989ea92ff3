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
  contributionHint: 'Was Beschäftigte beim Tarif „Geteilte Kosten“ je Ticket zahlen. Gilt für neue Abos.',
  cutOffDay: 'Stichtag',
  cutOffDayHint:
    'Bis zu diesem Tag des Monats bekannte Änderungen gelten ab dem nächsten Monat, spätere einen Monat danach.',
  guardMinimumLinked: 'Austragungen prüfen ab (verknüpfte Beschäftigte)',
  guardMinimumLinkedHint: 'Mit weniger verknüpften Beschäftigten wird eine Liste ohne Prüfung angewendet.',
  guardMaximumAbsentPercent: 'Austragungen ohne Freigabe, in Prozent',
  guardMaximumAbsentPercentHint: 'Fehlt auf einer Liste ein größerer Anteil, muss jemand die Austragungen freigeben.',
  retentionDays: 'Aufbewahrung in Tagen',
  retentionDaysHint: 'So lange bleiben die Daten ausgeschiedener Beschäftigter erhalten, bevor sie gelöscht werden.',
  timeZone: 'Zeitzone',
  plan: 'Tarif für neue Abos',
  auditRetention: 'Aufbewahrung der Aktivität',
  days: '{count} Tage',
  operatorHint: 'Wenden Sie sich an den Betreiber, um diese Angaben zu ändern.',
  wrong: 'Geben Sie einen gültigen Wert ein.',
  wrongLocale: 'Geben Sie Sprache und Land an, zum Beispiel de-DE oder en-GB.',
  save: 'Änderungen speichern',
  saved: 'Die Einstellungen sind gespeichert.',
  fixed: 'Vom Betreiber festgelegt',
};
