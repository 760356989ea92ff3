import type { HealthTexts } from './en.ts';

export const de: HealthTexts = {
  description: {
    healthy: 'In Ordnung. Die Beschäftigten werden aktuell gehalten.',
    'first-sync': 'Bereit für die erste Personalliste.',
    'partially-failed': 'Der letzte Abgleich wurde nur teilweise übernommen.',
    approval: 'Der letzte Abgleich wurde übernommen, bis auf Abmeldungen, die auf Freigabe warten.',
    overdue: 'Die Personalliste ist überfällig: Sonst wäre sie längst gekommen.',
    incomplete: 'Die Verbindung zum HR-System ist noch nicht eingerichtet.',
    invalid: 'Das HR-System gewährt keinen Zugriff mehr. Die Beschäftigten werden nicht aktuell gehalten.',
    'no-key':
      'Kein API-Schlüssel darf mehr Personallisten senden: Der letzte wurde widerrufen oder ist abgelaufen. Die Beschäftigten werden nicht aktuell gehalten.',
    failed: 'Der letzte Abgleich ist fehlgeschlagen. Es wurde nichts übernommen.',
    'authentication-failed': 'Das HR-System hat die Anmeldung beim letzten Abgleich abgelehnt.',
    inactive: 'Inaktiv. Personallisten werden abgelehnt, die Beschäftigten bleiben unverändert.',
  },
  todo: {
    healthy: null,
    'first-sync': 'Senden Sie eine Personalliste über die API, oder laden Sie hier eine hoch.',
    'partially-failed': 'Öffnen Sie den letzten Abgleich, um die fehlgeschlagenen Einträge zu sehen.',
    approval: 'Öffnen Sie den letzten Abgleich und melden Sie die Beschäftigten ab, oder behalten Sie sie.',
    overdue:
      'Prüfen Sie, ob Ihr HR-System noch Personallisten sendet. Die Beschäftigten bleiben inzwischen unverändert.',
    incomplete: 'Schließen Sie die Einrichtung ab. Bis dahin werden Personallisten abgelehnt.',
    invalid: 'Legen Sie im HR-System neue Zugangsdaten an und verbinden Sie die Integration neu.',
    'no-key':
      'Legen Sie einen API-Schlüssel mit allen vier Rechten für Beschäftigte an und tragen Sie ihn in Ihrem HR-System ein, oder laden Sie die Personalliste hier hoch. Danach ist die Integration wieder aktiv.',
    failed:
      'Öffnen Sie den letzten Abgleich, um die Ursache zu sehen, und senden Sie dieselbe Personalliste erneut. Mehrfaches Senden schadet nicht.',
    'authentication-failed':
      'Der Abruf wird innerhalb einer Stunde wiederholt. Wurden die Zugangsdaten widerrufen, legen Sie neue an und verbinden Sie die Integration neu.',
    inactive: 'Aktivieren Sie die Integration, um wieder Personallisten anzunehmen.',
  },
};
