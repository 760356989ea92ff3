import type { Translation } from '../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'HR-Integrationen',
  description: 'Die Quellen Ihrer Personallisten. Jede Integration hält ihre Beschäftigten aktuell.',
  create: 'Integration hinzufügen',
  createTitle: 'Neue API-Integration',
  createHint:
    'Ihr HR-System oder Skript sendet bei jeder Änderung die vollständige Personalliste an diese Integration.',
  name: 'Name',
  nameHint: 'Zum Beispiel der Name des Systems, das die Personalliste sendet.',
  submit: 'Integration anlegen',
  createdTitle: '{name} wurde angelegt',
  id: 'ID der Integration',
  open: 'Integration öffnen',
  done: 'Schließen',
  setup: 'Einrichtung',
  lastOutcome: 'Letztes Ergebnis',
  lastCompleted: 'Letzter Abgleich',
  never: 'Noch keiner',
  list: 'Integrationen',
  emptyTitle: 'Noch keine HR-Integrationen',
  emptyHint:
    'Verbinden Sie Ihr HR-System, oder senden Sie die erste Personalliste selbst. Der Abgleich legt Ihre Beschäftigten an.',
  emptyHintViewer:
    'Die Administration oder Entwicklung Ihres Unternehmens kann eine Integration anlegen. Der erste Abgleich legt Ihre Beschäftigten an.',
  uploadNext: 'Laden Sie jetzt die erste Personalliste hoch. Sie sehen zuerst eine Vorschau.',
  uploadOpen: 'Personalliste hochladen',
  stepsTitle: 'Nächste Schritte',
  stepKey: 'Legen Sie einen API-Schlüssel mit der Vorauswahl „HR-Abgleich“ an.',
  stepKeyLink: 'Zu den API-Schlüsseln',
  stepTry: 'Testen Sie eine Personalliste, ohne etwas zu ändern. Die Antwort zeigt, was geschehen würde:',
  stepSend:
    'Senden Sie die Personalliste ohne {option}, um sie zu übernehmen. Senden Sie immer die vollständige Personalliste: Fehlende Beschäftigte werden abgemeldet.',
  stepWatch: 'Prüfen Sie das Ergebnis auf der Seite der Integration.',
  example: 'Beispiel für einen Abgleich',
};
