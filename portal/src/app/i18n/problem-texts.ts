import type { PortalProblem } from '../../../../src/platform/http/portal/schemas.ts';

/** What each problem of the API means for the user of a page, and what to do. */
export const texts: Readonly<Record<PortalProblem['code'], { de: string; en: string }>> = {
  'invalid-parameters': {
    de: 'Die Adresse oder ein Filter enthält einen ungültigen Wert. Berichtigen Sie ihn oder entfernen Sie die Filter.',
    en: 'The address or a filter contains an invalid value. Correct it or remove the filters.',
  },
  'invalid-body': {
    de: 'Einige Angaben sind ungültig. Berichtigen Sie sie und versuchen Sie es erneut.',
    en: 'Some values are not valid. Correct them and try again.',
  },
  'malformed-body': {
    de: 'Die Daten konnten nicht gelesen werden. Prüfen Sie die Datei oder versuchen Sie es erneut.',
    en: 'The data could not be read. Check the file, or try again.',
  },
  'malformed-request': {
    de: 'Die Anfrage konnte nicht gelesen werden. Laden Sie die Seite neu und versuchen Sie es erneut.',
    en: 'The request could not be read. Reload the page and try again.',
  },
  'invalid-credentials': {
    de: 'Der API-Schlüssel fehlt oder ist in dieser Umgebung nicht gültig.',
    en: 'The API key is missing or not valid in this environment.',
  },
  'sign-in-failed': {
    de: 'Die Adresse oder das Passwort ist falsch. Prüfen Sie beides und versuchen Sie es erneut.',
    en: 'The address or the password is wrong. Check both and try again.',
  },
  'sso-failed': {
    de: 'Single Sign-on ist fehlgeschlagen. Beginnen Sie neu, oder wenden Sie sich an die Administration.',
    en: 'Single sign-on failed. Start again, or contact an admin of your company.',
  },
  'sso-required': {
    de: 'Dieses Unternehmen verlangt Single Sign-on. Wählen Sie es auf der Anmeldeseite.',
    en: 'This company requires single sign-on. Choose it on the sign-in page.',
  },
  'not-signed-in': {
    de: 'Sie sind nicht angemeldet, oder Ihre Sitzung ist beendet. Melden Sie sich an.',
    en: 'You are not signed in, or your session has ended. Sign in.',
  },
  'access-refused': {
    de: 'Der Zugang ist fehlgeschlagen. Fordern Sie einen neuen Link an.',
    en: 'Access was refused. Ask for a new link.',
  },
  'missing-permission': {
    de: 'Dem API-Schlüssel fehlt dafür eine Berechtigung.',
    en: 'The API key lacks a permission for this.',
  },
  'code-required': {
    de: 'Geben Sie einen Code Ihrer Authentifizierungs-App oder einen Wiederherstellungscode ein.',
    en: 'Enter a code of your authenticator app, or a recovery code.',
  },
  'passkey-required': { de: 'Verwenden Sie auch Ihren Passkey.', en: 'Use your passkey as well.' },
  'passkey-refused': {
    de: 'Dieser Passkey gilt hier nicht, oder er wurde zu spät benutzt. Versuchen Sie es erneut.',
    en: 'This passkey does not work here, or it was not used in time. Try again.',
  },
  'account-protected': {
    de: 'Sie haben sich mit Single Sign-on angemeldet. Melden Sie sich mit Passwort oder Passkey an, um Ihr Konto zu ändern.',
    en: 'You signed in through single sign-on. Sign in with your password or a passkey to change your account.',
  },
  'too-many-invitations': {
    de: 'Ihr Unternehmen hat heute zu viele Einladungen verschickt. Senden Sie die übrigen morgen.',
    en: 'Your company has sent too many invitations today. Send the others tomorrow.',
  },
  'account-shared': {
    de: 'Dieses Konto öffnet auch andere Unternehmen. Wenden Sie sich an den Betreiber.',
    en: 'This account opens other companies as well. Ask the operator.',
  },
  'passkey-not-possible': {
    de: 'Sie können hier keinen weiteren Passkey hinzufügen.',
    en: 'You cannot add another passkey here.',
  },
  'wrong-code': {
    de: 'Der Code ist falsch oder wurde schon benutzt. Geben Sie den nächsten ein.',
    en: 'The code is wrong or was used before. Enter the next one.',
  },
  'step-up-required': {
    de: 'Bestätigen Sie, wer Sie sind, und versuchen Sie es dann erneut.',
    en: 'Confirm who you are, then try again.',
  },
  'second-factor-missing': {
    de: 'Ihr Unternehmen verlangt einen zweiten Faktor. Fügen Sie einen Passkey oder eine Authentifizierungs-App hinzu.',
    en: 'Your company requires a second factor. Add a passkey or an authenticator app.',
  },
  'second-factor-exists': {
    de: 'Sie haben schon eine Authentifizierungs-App. Entfernen Sie diese zuerst.',
    en: 'You already have an authenticator app. Remove it first.',
  },
  'mail-not-configured': {
    de: 'Dieser Dienst sendet keine E-Mails. Fragen Sie die Administration Ihres Unternehmens oder den Betreiber.',
    en: 'This service sends no mail. Ask an admin of your company or the operator.',
  },
  'missing-role': {
    de: 'Ihre Rolle erlaubt das nicht. Wenden Sie sich an die Administration Ihres Unternehmens.',
    en: 'Your role does not allow this. Ask an admin of your company.',
  },
  'time-travel-not-allowed': {
    de: 'Die Zeitreise betrifft alle Unternehmen dieser Umgebung, daher darf nur der Betreiber sie nutzen.',
    en: 'Time travel moves every company of this environment, so only its operator may use it.',
  },
  'cross-site-request': {
    de: 'Änderungen sind nur auf den Seiten des Portals möglich. Laden Sie die Seite neu und versuchen Sie es erneut.',
    en: 'Changes are only possible on the pages of the portal. Reload the page and try again.',
  },
  'not-found': {
    de: 'Das existiert nicht mehr, oder die Adresse ist falsch.',
    en: 'This no longer exists, or the address is wrong.',
  },
  'route-not-found': {
    de: 'Der Dienst kennt diese Funktion nicht. Laden Sie die Seite neu und versuchen Sie es erneut.',
    en: 'The service does not know this function. Reload the page and try again.',
  },
  'method-not-allowed': {
    de: 'Der Dienst kennt diese Funktion nicht. Laden Sie die Seite neu und versuchen Sie es erneut.',
    en: 'The service does not know this function. Reload the page and try again.',
  },
  'request-timeout': {
    de: 'Die Daten kamen nicht rechtzeitig an. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    en: 'The data did not arrive in time. Check your connection and try again.',
  },
  'too-many-webhooks': {
    de: 'Ihr Unternehmen hat bereits die höchste Zahl an Endpunkten. Löschen Sie einen, den Sie nicht mehr brauchen.',
    en: 'Your company has the maximum number of endpoints. Delete one that you no longer need.',
  },
  'webhook-disabled': {
    de: 'Der Endpunkt ist deaktiviert. Aktivieren Sie ihn zuerst.',
    en: 'The endpoint is disabled. Enable it first.',
  },
  'issuer-not-possible': {
    de: 'Das ist beim Ticketaussteller gerade nicht möglich.',
    en: 'This is not possible with the issuer now.',
  },
  'invalid-order-list': {
    de: 'Die Liste kann nicht übernommen werden.',
    en: 'The list cannot be applied.',
  },
  'ticket-not-possible': {
    de: 'Das Ticket kann nicht gesperrt oder ersetzt werden.',
    en: 'The ticket cannot be blocked or replaced.',
  },
  'document-not-downloadable': {
    de: 'Dieses Dokument kann noch nicht heruntergeladen werden. Versuchen Sie es in ein paar Sekunden erneut.',
    en: 'This document cannot be downloaded yet. Try again in a few seconds.',
  },
  'decision-refused': {
    de: 'Das ist jetzt nicht möglich. Es wurde nichts geändert.',
    en: 'This is not possible now. Nothing has changed.',
  },
  'subscription-request-refused': {
    de: 'Das ist jetzt nicht möglich. Am Abo hat sich nichts geändert.',
    en: 'This is not possible now. The subscription has not changed.',
  },
  'request-in-progress': {
    de: 'Die erste Anfrage mit diesem Schlüssel läuft noch. Wiederholen Sie sie in einigen Sekunden.',
    en: 'The first request with this key is still running. Repeat it in a few seconds.',
  },
  'idempotency-key-reused': {
    de: 'Dieser Schlüssel gehört bereits zu einer anderen Anfrage. Verwenden Sie einen neuen.',
    en: 'This key was already used for another request. Use a new one.',
  },
  'joining-not-allowed': {
    de: 'Beschäftigte können nicht selbst beitreten. Die Administration erlaubt es in den Einstellungen unter „Beitritt“.',
    en: 'Employees cannot join by themselves. An admin allows it in the settings, under Joining.',
  },
  'payroll-not-exportable': {
    de: 'Die Lohndatei kann nicht exportiert werden. Die Vorschau nennt den Grund.',
    en: 'The payroll file cannot be exported. The preview says why.',
  },
  'payroll-not-voidable': { de: 'Dieser Export kann nicht storniert werden.', en: 'This export cannot be voided.' },
  'payroll-export-voided': { de: 'Dieser Export ist storniert.', en: 'This export was voided.' },
  'confirmation-mismatch': {
    de: 'Die Zahl hat sich inzwischen geändert. Es wurde nichts getan. Prüfen Sie sie und bestätigen Sie erneut.',
    en: 'The number has changed meanwhile. Nothing was done. Check it and confirm again.',
  },
  'no-removals-held': {
    de: 'Es warten keine Abmeldungen auf Freigabe: Sie wurden bereits entschieden, oder ein neuerer Abgleich hat sie ersetzt.',
    en: 'No removals are pending: they were already decided, or a newer sync has replaced them.',
  },
  'sync-not-possible': {
    de: 'Mit dieser Integration ist jetzt kein Abgleich möglich. Schließen Sie die Einrichtung ab oder aktivieren Sie sie.',
    en: 'This integration cannot sync now. Finish its setup or enable it.',
  },
  'not-connectable': {
    de: 'Diese Integration ist nicht mit einem HR-System verbunden. Geben Sie zuerst die Zugangsdaten ein.',
    en: 'This integration is not connected to an HR system. Enter the credentials first.',
  },
  'email-taken': {
    de: 'Zu dieser E-Mail-Adresse gibt es in Ihrem Unternehmen bereits ein Konto.',
    en: 'This email address already has an account in your company.',
  },
  'last-admin': {
    de: 'Mindestens eine Person muss die Rolle Administration behalten. Geben Sie diese Rolle zuerst einer anderen Person.',
    en: 'A company must keep at least one admin. Make another user an admin first.',
  },
  'events-expired': {
    de: 'Diese Ereignisse wurden gelöscht. Beginnen Sie mit dem ältesten, das noch vorhanden ist.',
    en: 'These events have been deleted. Start with the oldest event that is kept.',
  },
  'body-too-large': {
    de: 'Die Datei ist zu groß. Bitten Sie den Betreiber um eine höhere Grenze.',
    en: 'The file is too large. Ask the operator for a higher limit.',
  },
  'unsupported-media-type': {
    de: 'Diese Art von Datei wird nicht unterstützt.',
    en: 'This type of file is not supported.',
  },
  'invalid-roster': {
    de: 'Die Personalliste wurde nicht angenommen. Berichtigen Sie die Einträge und laden Sie sie erneut hoch.',
    en: 'The roster was not accepted. Correct the entries and upload it again.',
  },
  'sync-id-reused': {
    de: 'Diese Kennung gehört bereits zum Abgleich einer anderen Personalliste. Verwenden Sie eine neue.',
    en: 'This ID of a sync was already used for another roster. Use a new one.',
  },
  'wrong-password': {
    de: 'Das aktuelle Passwort ist falsch. Geben Sie es erneut ein.',
    en: 'The current password is wrong. Enter it again.',
  },
  'sign-in-throttled': {
    de: 'Zu viele Versuche. Warten Sie einen Moment und versuchen Sie es erneut.',
    en: 'Too many attempts. Wait a moment and try again.',
  },
  'rate-limited': {
    de: 'Zu viele Anfragen auf einmal. Warten Sie einen Moment und versuchen Sie es erneut.',
    en: 'Too many requests at once. Wait a moment and try again.',
  },
  'headers-too-large': {
    de: 'Die Anfrage ist zu lang. Entfernen Sie Filter und versuchen Sie es erneut.',
    en: 'The request is too long. Remove some filters and try again.',
  },
  'internal-error': {
    de: 'Im Dienst ist ein Fehler aufgetreten und wurde protokolliert. Versuchen Sie es erneut, und nennen Sie uns die Anfrage-ID, wenn es wieder nicht gelingt.',
    en: 'An error occurred in the service and was logged. Try again, and contact us with the request ID if it fails again.',
  },
  unavailable: {
    de: 'Der Dienst ist überlastet oder erreicht seine Datenbank nicht. Es geht nichts verloren. Versuchen Sie es in ein paar Sekunden erneut.',
    en: 'The service is overloaded or cannot reach its database. Nothing is lost. Try again in a few seconds.',
  },
};
