export const texts = {
  /** The button that does it. */
  step: {
    upload: { de: 'Personalliste hochladen', en: 'Upload roster' },
    openSync: { de: 'Letzten Abgleich öffnen', en: 'Open last sync' },
    review: { de: 'Abmeldungen prüfen', en: 'Review removals' },
    setUp: { de: 'Einrichtung fortsetzen', en: 'Continue setup' },
    reconnect: { de: 'Neu verbinden', en: 'Reconnect' },
    createKey: { de: 'API-Schlüssel anlegen', en: 'Create API key' },
  },
  /** Describes the state. */
  description: {
    healthy: {
      de: 'In Ordnung. Die Beschäftigten werden aktuell gehalten.',
      en: 'Healthy. Employees are kept up to date.',
    },
    'first-sync': { de: 'Bereit für die erste Personalliste.', en: 'Ready for the first roster.' },
    'partially-failed': {
      de: 'Der letzte Abgleich wurde nur teilweise übernommen.',
      en: 'The last sync was only partially applied.',
    },
    approval: {
      de: 'Der letzte Abgleich wurde übernommen, bis auf Abmeldungen, die auf Freigabe warten.',
      en: 'The last sync was applied, except removals that wait for approval.',
    },
    overdue: {
      de: 'Die Personalliste ist überfällig: Sonst wäre sie längst gekommen.',
      en: 'The roster is overdue: usually it would have arrived by now.',
    },
    incomplete: {
      de: 'Die Verbindung zum HR-System ist noch nicht eingerichtet.',
      en: 'The connection to the HR system is not set up yet.',
    },
    invalid: {
      de: 'Das HR-System gewährt keinen Zugriff mehr. Die Beschäftigten werden nicht aktuell gehalten.',
      en: 'The HR system no longer grants access. Employees are not kept up to date.',
    },
    'no-key': {
      de: 'Kein API-Schlüssel darf mehr Personallisten senden: Der letzte wurde widerrufen oder ist abgelaufen. Die Beschäftigten werden nicht aktuell gehalten.',
      en: 'No API key can send rosters: the last one was revoked or has expired. Employees are not kept up to date.',
    },
    failed: {
      de: 'Der letzte Abgleich ist fehlgeschlagen. Es wurde nichts übernommen.',
      en: 'The last sync failed. None of its changes were applied.',
    },
    'authentication-failed': {
      de: 'Das HR-System hat die Anmeldung beim letzten Abgleich abgelehnt.',
      en: 'The HR system rejected the sign-in during the last sync.',
    },
    inactive: {
      de: 'Inaktiv. Personallisten werden abgelehnt, die Beschäftigten bleiben unverändert.',
      en: 'Inactive. Rosters are rejected, and employees stay unchanged.',
    },
  },
  /** What to do about it, or null if nothing needs to be done. */
  todo: {
    healthy: null,
    'first-sync': {
      de: 'Senden Sie eine Personalliste über die API, oder laden Sie hier eine hoch.',
      en: 'Send a roster through the API, or upload one here.',
    },
    'partially-failed': {
      de: 'Öffnen Sie den letzten Abgleich, um die fehlgeschlagenen Einträge zu sehen.',
      en: 'Open the last sync to see which entries failed.',
    },
    approval: {
      de: 'Öffnen Sie den letzten Abgleich und melden Sie die Beschäftigten ab, oder behalten Sie sie.',
      en: 'Open the last sync, and offboard or keep the employees.',
    },
    overdue: {
      de: 'Prüfen Sie, ob Ihr HR-System noch Personallisten sendet. Die Beschäftigten bleiben inzwischen unverändert.',
      en: 'Check whether your HR system still sends rosters. Employees stay as they are meanwhile.',
    },
    incomplete: {
      de: 'Schließen Sie die Einrichtung ab. Bis dahin werden Personallisten abgelehnt.',
      en: 'Finish the setup. Until then, rosters are rejected.',
    },
    invalid: {
      de: 'Legen Sie im HR-System neue Zugangsdaten an und verbinden Sie die Integration neu.',
      en: 'Create new credentials in your HR system, then reconnect the integration.',
    },
    'no-key': {
      de: 'Legen Sie einen API-Schlüssel mit allen vier Rechten für Beschäftigte an und tragen Sie ihn in Ihrem HR-System ein, oder laden Sie die Personalliste hier hoch. Danach ist die Integration wieder aktiv.',
      en: 'Create an API key with all four permissions for employees and enter it in your HR system, or upload the roster here. The integration is then active again.',
    },
    failed: {
      de: 'Öffnen Sie den letzten Abgleich, um die Ursache zu sehen, und senden Sie dieselbe Personalliste erneut. Mehrfaches Senden schadet nicht.',
      en: 'Open the last sync to see the cause, then send the same roster again. Sending it twice does no harm.',
    },
    'authentication-failed': {
      de: 'Der Abruf wird innerhalb einer Stunde wiederholt. Wurden die Zugangsdaten widerrufen, legen Sie neue an und verbinden Sie die Integration neu.',
      en: 'It is tried again within the hour. If the credentials were revoked, create new ones and reconnect the integration.',
    },
    inactive: {
      de: 'Aktivieren Sie die Integration, um wieder Personallisten anzunehmen.',
      en: 'Activate the integration to accept rosters again.',
    },
  },
};
