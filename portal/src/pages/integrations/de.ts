import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'HR-Integrationen',
  description: 'Woher Personallisten kommen. Jede Integration hält die Beschäftigten aktuell, die sie nennt.',
  create: 'API-Integration anlegen',
  createTitle: 'Neue API-Integration',
  createHint: 'Ihr HR-System oder ein eigenes Skript sendet ihr die ganze Liste, sobald sich etwas ändert.',
  name: 'Name',
  nameHint: 'Damit andere sie wiedererkennen, etwa der Name des Systems, das die Liste sendet.',
  submit: 'Anlegen',
  createdTitle: '{name} ist bereit',
  id: 'ID der Integration',
  open: 'Integration öffnen',
  done: 'Fertig',
  setup: 'Einrichtung',
  lastOutcome: 'Letztes Ergebnis',
  lastCompleted: 'Zuletzt vollendet',
  never: 'Noch keiner',
  list: 'Integrationen',
  emptyTitle: 'Noch keine HR-Integration',
  emptyHint:
    'Legen Sie eine an; sie zeigt Ihnen, wie die erste Liste gesendet wird. Beschäftigte erscheinen danach von selbst.',
  emptyHintViewer:
    'Entwicklung oder Administration Ihres Unternehmens kann eine anlegen. Beschäftigte erscheinen mit dem ersten Abgleich.',
  stepsTitle: 'Nächste Schritte',
  stepKey: 'Legen Sie einen API-Schlüssel mit dem Satz „HR-Abgleich“ an.',
  stepKeyLink: 'Zu den API-Schlüsseln',
  stepTry: 'Probieren Sie eine Liste, ohne etwas zu ändern. Die Antwort sagt, was geschehen würde:',
  stepSend:
    'Ohne {option} gilt der Aufruf. Senden Sie von da an immer alle: Wer auf der Liste fehlt, wird ausgetragen.',
  stepWatch: 'Sehen Sie das Ergebnis auf der Seite der Integration.',
  example: 'Beispielaufruf des Abgleichs',
};
