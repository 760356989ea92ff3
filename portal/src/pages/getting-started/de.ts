import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Erste Schritte',
  description:
    'In drei Schritten vom Schlüssel zur ersten abgeglichenen Liste. Was Sie schon getan haben, ist abgehakt.',
  progress: '{done} von {all} erledigt',
  done: 'Erledigt',
  open: 'Offen',
  baseUrl: 'Basis-URL',
  baseUrlHint: 'Damit beginnt jede Adresse der API. Sie gehört nur zu dieser Umgebung.',

  keyTitle: 'Einen Schlüssel anlegen',
  keyText:
    'Ein Schlüssel besteht aus Benutzername und Passwort, die jede Anfrage per HTTP Basic mitschickt. Das Passwort wird einmal angezeigt.',
  keyAsk: 'Ihre Rolle kann keine Schlüssel anlegen: Fragen Sie Administration oder Entwicklung Ihres Unternehmens.',
  keyAction: 'Zu den API-Schlüsseln',
  keyDone: 'Sie haben einen gültigen Schlüssel.',

  callTitle: 'Den ersten Aufruf machen',
  callText: 'Fragen Sie, wer Sie sind. Das darf jeder Schlüssel. Setzen Sie Ihr Passwort ein:',
  callCode: 'Erster Aufruf',
  callMore: 'Lesen Sie dann etwas, etwa die ersten Beschäftigten:',
  callMoreCode: 'Beschäftigte lesen',
  callDone: 'Ein Schlüssel wurde {time} benutzt.',
  callWaits: 'Die Seite hakt den Schritt von selbst ab, sobald ein Schlüssel benutzt wird.',

  syncTitle: 'Ihre Liste abgleichen',
  syncText:
    'Ihr HR-System schickt die vollständige Liste der Beschäftigten; wir ermitteln, wer neu ist, wer sich geändert hat und wer gegangen ist.',
  integrationTitle: 'Eine Integration als Ziel',
  integrationDone: 'Sie haben „{name}“ mit der ID {id}.',
  integrationOpen: 'Legen Sie zuerst eine API-Integration an: Ihre ID steht in der Adresse.',
  integrationAction: 'Zu den HR-Integrationen',
  rosterTitle: 'Eine Liste',
  rosterText: 'Speichern Sie dies als `roster.json`, oder schreiben Sie Ihre eigenen Beschäftigten hinein.',
  previewTitle: 'Vorschau',
  previewText: 'Mit `dryRun=true` sehen Sie, was der Abgleich täte, und nichts ändert sich.',
  previewCode: 'Vorschau eines Abgleichs',
  pushTitle: 'Abgleichen',
  pushText: 'Dieselbe Anfrage ohne `dryRun`. 204 heißt: gespeichert, und im Hintergrund ausgeführt.',
  pushCode: 'Liste abgleichen',
  pushDone: 'Die letzte Liste wurde {time} abgeglichen.',
  warning:
    'Die Liste ist immer vollständig: Wer darin fehlt, wird ausgetragen. Schicken Sie dieses Beispiel nicht dorthin, wo schon Beschäftigte verknüpft sind.',
  permissionsHint: 'Der Schlüssel braucht die fertige Auswahl „HR-Abgleich“.',
  upload: 'Oder eine Datei hochladen',
  uploadHint:
    'Kein Code zur Hand? Laden Sie eine CSV- oder JSON-Datei hoch, sehen Sie die Vorschau und führen Sie sie aus.',

  nextTitle: 'Zum Weiterlesen',
  reference: 'API-Referenz',
  referenceHint: 'Jede Operation, mit Beispielen zum Ausprobieren (englisch).',
  guide: 'Liste abgleichen',
  guideHint: 'Die Anleitung: jedes Feld, der Schutz vor Massenaustragungen, sicher wiederholen (englisch).',
  errors: 'Fehler',
  errorsHint: 'Jeder Code und was dagegen zu tun ist (englisch).',
};
