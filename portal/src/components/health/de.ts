import type { HealthTexts } from './en.ts';

export const de: HealthTexts = {
  description: {
    healthy: 'In Ordnung. Die Beschäftigten werden aktuell gehalten.',
    'first-sync': 'Bereit für die erste Personalliste.',
    'partially-failed': 'Der letzte Abgleich wurde nur teilweise übernommen.',
    incomplete: 'Die Verbindung zum HR-System ist noch nicht eingerichtet.',
    invalid: 'Das HR-System gewährt keinen Zugriff mehr. Die Beschäftigten werden nicht aktuell gehalten.',
    failed: 'Der letzte Abgleich ist fehlgeschlagen. Es wurde nichts übernommen.',
    'authentication-failed': 'Das HR-System hat die Anmeldung beim letzten Abgleich abgelehnt.',
    inactive: 'Inaktiv. Personallisten werden abgelehnt, die Beschäftigten bleiben unverändert.',
  },
  todo: {
    healthy: null,
    'first-sync': 'Senden Sie eine Personalliste über die API, oder laden Sie hier eine hoch.',
    'partially-failed':
      'Öffnen Sie den letzten Abgleich, um fehlgeschlagene Einträge und offene Freigaben von Abmeldungen zu sehen.',
    incomplete:
      'Schließen Sie die Einrichtung im HR-System ab, oder wenden Sie sich an uns. Bis dahin werden Personallisten abgelehnt.',
    invalid: 'Erneuern Sie den Zugang im HR-System und aktivieren Sie die Integration dann wieder.',
    failed:
      'Öffnen Sie den letzten Abgleich, um die Ursache zu sehen, und senden Sie dieselbe Personalliste erneut. Mehrfaches Senden schadet nicht.',
    'authentication-failed':
      'Erneuern Sie den Zugang im HR-System. Beim nächsten Abgleich zeigt sich, ob die Anmeldung gelingt.',
    inactive: 'Aktivieren Sie die Integration, um wieder Personallisten anzunehmen.',
  },
};
