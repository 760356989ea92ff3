import type { en } from './problems.en.ts';

export const de: typeof en = {
  'invalid-parameters':
    'Die Adresse oder ein Filter enthält einen ungültigen Wert. Berichtigen Sie ihn oder entfernen Sie die Filter.',
  'invalid-body': 'Einige Angaben sind ungültig. Berichtigen Sie sie und versuchen Sie es erneut.',
  'malformed-body': 'Die Daten konnten nicht gelesen werden. Prüfen Sie die Datei oder versuchen Sie es erneut.',
  'malformed-request': 'Die Anfrage konnte nicht gelesen werden. Laden Sie die Seite neu und versuchen Sie es erneut.',
  'invalid-credentials': 'Der API-Schlüssel fehlt oder ist in dieser Umgebung nicht gültig.',
  'sign-in-failed': 'Die Adresse oder das Passwort ist falsch. Prüfen Sie beides und versuchen Sie es erneut.',
  'sso-failed': 'Single Sign-on ist fehlgeschlagen. Beginnen Sie neu, oder wenden Sie sich an die Administration.',
  'sso-required': 'Dieses Unternehmen verlangt Single Sign-on. Wählen Sie es auf der Anmeldeseite.',
  'not-signed-in': 'Sie sind nicht angemeldet, oder Ihre Sitzung ist beendet. Melden Sie sich an.',
  'missing-permission': 'Dem API-Schlüssel fehlt dafür eine Berechtigung.',
  'code-required': 'Geben Sie einen Code Ihrer Authentifizierungs-App oder einen Wiederherstellungscode ein.',
  'passkey-required': 'Verwenden Sie auch Ihren Passkey.',
  'passkey-refused': 'Dieser Passkey gilt hier nicht, oder er wurde zu spät benutzt. Versuchen Sie es erneut.',
  'account-protected':
    'Sie haben sich mit Single Sign-on angemeldet. Melden Sie sich mit Passwort oder Passkey an, um Ihr Konto zu ändern.',
  'too-many-invitations': 'Ihr Unternehmen hat heute zu viele Einladungen verschickt. Senden Sie die übrigen morgen.',
  'account-shared': 'Dieses Konto öffnet auch andere Unternehmen. Wenden Sie sich an den Betreiber.',
  'passkey-not-possible': 'Sie können hier keinen weiteren Passkey hinzufügen.',
  'wrong-code': 'Der Code ist falsch oder wurde schon benutzt. Geben Sie den nächsten ein.',
  'step-up-required': 'Bestätigen Sie, wer Sie sind, und versuchen Sie es dann erneut.',
  'second-factor-missing':
    'Ihr Unternehmen verlangt einen zweiten Faktor. Fügen Sie einen Passkey oder eine Authentifizierungs-App hinzu.',
  'second-factor-exists': 'Sie haben schon eine Authentifizierungs-App. Entfernen Sie diese zuerst.',
  'mail-not-configured':
    'Dieser Dienst sendet keine E-Mails. Fragen Sie die Administration Ihres Unternehmens oder den Betreiber.',
  'missing-role': 'Ihre Rolle erlaubt das nicht. Wenden Sie sich an die Administration Ihres Unternehmens.',
  'time-travel-not-allowed':
    'Die Zeitreise betrifft alle Unternehmen dieser Umgebung, daher darf nur der Betreiber sie nutzen.',
  'cross-site-request':
    'Änderungen sind nur auf den Seiten des Portals möglich. Laden Sie die Seite neu und versuchen Sie es erneut.',
  'not-found': 'Das existiert nicht mehr, oder die Adresse ist falsch.',
  'route-not-found': 'Der Dienst kennt diese Funktion nicht. Laden Sie die Seite neu und versuchen Sie es erneut.',
  'method-not-allowed': 'Der Dienst kennt diese Funktion nicht. Laden Sie die Seite neu und versuchen Sie es erneut.',
  'request-timeout': 'Die Daten kamen nicht rechtzeitig an. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  'too-many-webhooks':
    'Ihr Unternehmen hat bereits die höchste Zahl an Endpunkten. Löschen Sie einen, den Sie nicht mehr brauchen.',
  'webhook-disabled': 'Der Endpunkt ist deaktiviert. Aktivieren Sie ihn zuerst.',
  'document-not-downloadable':
    'Dieses Dokument kann noch nicht heruntergeladen werden. Versuchen Sie es in ein paar Sekunden erneut.',
  'decision-refused': 'Das ist jetzt nicht möglich. Es wurde nichts geändert.',
  'payroll-not-exportable': 'Die Lohndatei kann nicht exportiert werden. Die Vorschau nennt den Grund.',
  'payroll-not-voidable': 'Dieser Export kann nicht storniert werden.',
  'confirmation-mismatch':
    'Die Zahl hat sich inzwischen geändert. Es wurde nichts getan. Prüfen Sie sie und bestätigen Sie erneut.',
  'no-removals-held':
    'Es warten keine Abmeldungen auf Freigabe: Sie wurden bereits entschieden, oder ein neuerer Abgleich hat sie ersetzt.',
  'sync-not-possible':
    'Mit dieser Integration ist jetzt kein Abgleich möglich. Schließen Sie die Einrichtung ab oder aktivieren Sie sie.',
  'not-connectable':
    'Diese Integration ist nicht mit einem HR-System verbunden. Geben Sie zuerst die Zugangsdaten ein.',
  'email-taken': 'Zu dieser E-Mail-Adresse gibt es in Ihrem Unternehmen bereits ein Konto.',
  'last-admin':
    'Mindestens eine Person muss die Rolle Administration behalten. Geben Sie diese Rolle zuerst einer anderen Person.',
  'events-expired': 'Diese Ereignisse wurden gelöscht. Beginnen Sie mit dem ältesten, das noch vorhanden ist.',
  'body-too-large': 'Die Datei ist zu groß. Bitten Sie den Betreiber um eine höhere Grenze.',
  'unsupported-media-type': 'Diese Art von Datei wird nicht unterstützt.',
  'invalid-roster':
    'Die Personalliste wurde nicht angenommen. Berichtigen Sie die Einträge und laden Sie sie erneut hoch.',
  'sync-id-reused': 'Diese Kennung gehört bereits zum Abgleich einer anderen Personalliste. Verwenden Sie eine neue.',
  'wrong-password': 'Das aktuelle Passwort ist falsch. Geben Sie es erneut ein.',
  'sign-in-throttled': 'Zu viele Versuche. Warten Sie einen Moment und versuchen Sie es erneut.',
  'rate-limited': 'Zu viele Anfragen auf einmal. Warten Sie einen Moment und versuchen Sie es erneut.',
  'headers-too-large': 'Die Anfrage ist zu lang. Entfernen Sie Filter und versuchen Sie es erneut.',
  'internal-error':
    'Im Dienst ist ein Fehler aufgetreten und wurde protokolliert. Versuchen Sie es erneut, und nennen Sie uns die Anfrage-ID, wenn es wieder nicht gelingt.',
  unavailable:
    'Der Dienst ist überlastet oder erreicht seine Datenbank nicht. Es geht nichts verloren. Versuchen Sie es in ein paar Sekunden erneut.',
};
