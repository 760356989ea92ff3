import type { HealthTexts } from './en.ts';

export const de: HealthTexts = {
  says: {
    healthy: 'Gesund: Beschäftigte werden aktuell gehalten.',
    'first-sync': 'Bereit: wartet auf die erste Personalliste.',
    'partially-failed': 'Der letzte Abgleich wurde teilweise angewendet.',
    incomplete: 'Die Verbindung zum HR-System ist noch nicht eingerichtet.',
    invalid: 'Das HR-System lässt uns nicht mehr ein. Beschäftigte werden nicht aktuell gehalten.',
    failed: 'Der letzte Abgleich ist gescheitert. Nichts davon wurde angewendet.',
    'authentication-failed': 'Das HR-System hat die Anmeldung beim letzten Abgleich abgelehnt.',
    inactive: 'Ausgeschaltet: keine Liste wird angenommen, Beschäftigte bleiben, wie sie sind.',
  },
  todo: {
    healthy: null,
    'first-sync': 'Senden Sie eine Personalliste über die API, oder laden Sie hier eine hoch.',
    'partially-failed':
      'Öffnen Sie den letzten Abgleich: Er zeigt, welche Einträge warum gescheitert sind und ob Austragungen auf Sie warten.',
    incomplete:
      'Schließen Sie die Einrichtung im HR-System ab, oder fragen Sie uns. Vorher wird keine Liste angenommen.',
    invalid: 'Erneuern Sie den Zugang im HR-System und schalten Sie die Integration dann wieder ein.',
    failed:
      'Öffnen Sie den letzten Abgleich, um den Grund zu sehen, und senden Sie dieselbe Liste erneut: Das ist immer sicher.',
    'authentication-failed': 'Erneuern Sie den Zugang im HR-System. Der nächste Abgleich zeigt, ob es geklappt hat.',
    inactive: 'Schalten Sie sie ein, wenn wieder Listen angenommen werden sollen.',
  },
};
