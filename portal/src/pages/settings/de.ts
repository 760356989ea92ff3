import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Einstellungen',
  description: 'So arbeitet der Dienst für Ihr Unternehmen. Änderungen stehen unter „Aktivität“.',
  name: 'Name des Unternehmens',
  nameHint: 'Steht auf Dokumenten und in Einladungen.',
  locale: 'Sprache und Zahlenformat',
  localeHint: 'Für Dokumente und für Beträge in der API, zum Beispiel de-DE oder en-GB.',
  contribution: 'Eigenanteil in Euro',
  contributionHint: 'Was Beschäftigte beim Kostenmodell „Geteilte Kosten“ je Ticket zahlen. Gilt für neue Abos.',
  cutOffDay: 'Stichtag',
  cutOffDayHint: 'Änderungen bis zu diesem Tag des Monats gelten ab dem nächsten Monat, spätere einen Monat danach.',
  guardMinimumLinked: 'Abmeldungen prüfen ab (Beschäftigte)',
  guardMinimumLinkedHint: 'Integrationen mit weniger Beschäftigten übernehmen Abmeldungen ohne Prüfung.',
  guardMaximumAbsentPercent: 'Abmeldungen ohne Freigabe, höchstens (%)',
  guardMaximumAbsentPercentHint:
    'Fehlt ein größerer Anteil auf einer Personalliste, müssen die Abmeldungen freigegeben werden.',
  retentionDays: 'Aufbewahrung der Daten (Tage)',
  retentionDaysHint: 'So lange bleiben die Daten ausgeschiedener Beschäftigter erhalten, bevor sie gelöscht werden.',
  timeZone: 'Zeitzone',
  plan: 'Kostenmodell für neue Abos',
  auditRetention: 'Aufbewahrung der Aktivität',
  days: '{count} Tage',
  operatorHint: 'Wenden Sie sich an den Betreiber, um diese Angaben zu ändern.',
  wrong: 'Geben Sie einen gültigen Wert ein.',
  wrongLocale: 'Geben Sie Sprache und Land an, zum Beispiel de-DE oder en-GB.',
  save: 'Änderungen speichern',
  saved: 'Die Einstellungen wurden gespeichert.',
  fixed: 'Vom Betreiber festgelegt',
};
