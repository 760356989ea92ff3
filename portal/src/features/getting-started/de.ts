import type { Translation } from '../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Erste Schritte',
  description: 'In drei Schritten vom API-Schlüssel zum ersten Abgleich. Erledigte Schritte sind abgehakt.',
  progress: '{done} von {all} erledigt',
  done: 'Erledigt',
  open: 'Offen',
  baseUrl: 'Basis-URL',
  productionUrl: 'Produktion: {url}, mit eigenen Schlüsseln und Daten.',
  stagingUrl: 'Zum Testen nutzen Sie Staging: {url}, mit eigenen Schlüsseln und Daten.',
  baseUrlHint: 'Alle API-Adressen beginnen mit dieser URL. Sie gilt nur für diese Umgebung.',

  keyTitle: 'API-Schlüssel anlegen',
  keyText:
    'Ein API-Schlüssel besteht aus Benutzername und Passwort. Senden Sie beides mit jeder Anfrage (HTTP Basic). Das Passwort wird nur einmal angezeigt.',
  keyForbidden:
    'Ihre Rolle kann keine API-Schlüssel anlegen. Wenden Sie sich an die Administration oder Entwicklung Ihres Unternehmens.',
  keyAction: 'Zu den API-Schlüsseln',
  keyDone: 'Sie haben einen aktiven API-Schlüssel.',

  callTitle: 'Ersten API-Aufruf ausführen',
  callText:
    'Dieser Aufruf funktioniert mit jedem API-Schlüssel und liefert dessen Angaben. Setzen Sie Ihr Passwort ein:',
  callCode: 'Erster Aufruf',
  callMore: 'Rufen Sie dann Daten ab, zum Beispiel die ersten Beschäftigten:',
  callMoreCode: 'Beschäftigte abrufen',
  callDone: 'Ein API-Schlüssel wurde zuletzt {time} verwendet.',
  callPending: 'Dieser Schritt wird automatisch abgehakt, sobald ein API-Schlüssel verwendet wird.',

  syncTitle: 'Personalliste abgleichen',
  syncText:
    'Ihr HR-System sendet die vollständige Liste der Beschäftigten. Der Abgleich ermittelt, wer neu ist, wer sich geändert hat und wer ausgeschieden ist.',
  integrationTitle: 'Integration',
  integrationDone: 'Die Beispiele verwenden „{name}“ (ID {id}).',
  integrationOpen: 'Legen Sie zuerst eine API-Integration an. Ihre ID ist Teil der Adresse.',
  integrationAction: 'Zu den HR-Integrationen',
  rosterTitle: 'Personalliste',
  rosterText: 'Speichern Sie diese Datei als `roster.json`, oder tragen Sie Ihre eigenen Beschäftigten ein.',
  previewTitle: 'Vorschau',
  previewText: 'Mit `dryRun=true` meldet der Abgleich, was er tun würde, und ändert nichts.',
  previewCode: 'Abgleich als Vorschau',
  pushTitle: 'Abgleich',
  pushText:
    'Dieselbe Anfrage ohne `dryRun`. Status 204 bedeutet: Die Personalliste ist gespeichert und wird im Hintergrund übernommen.',
  pushCode: 'Personalliste abgleichen',
  pushDone: 'Die letzte Personalliste wurde {time} übernommen.',
  warning:
    'Senden Sie immer die vollständige Personalliste: Fehlende Beschäftigte werden abgemeldet. Senden Sie dieses Beispiel nicht an eine Integration, die bereits Beschäftigte enthält.',
  permissionsHint: 'Der API-Schlüssel braucht die Rechte der Vorauswahl „HR-Abgleich“.',
  upload: 'Datei hochladen',
  uploadHint:
    'Lieber ohne Code? Laden Sie eine Excel- oder CSV-Datei hoch, prüfen Sie die Vorschau und übernehmen Sie die Daten.',

  nextTitle: 'Weiterführende Dokumentation',
  reference: 'API-Referenz',
  referenceHint: 'Alle Operationen mit curl-Befehlen zum Einfügen (englisch).',
  guide: 'Personalliste abgleichen',
  guideHint: 'Die Anleitung: alle Felder, Schutz vor Massenabmeldungen, sicheres Wiederholen (englisch).',
  errors: 'Fehler',
  errorsHint: 'Alle Fehlercodes und ihre Behebung (englisch).',
};
