import type { MailTexts } from './texts.ts';

const notYou = (url: string) =>
  `Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort und beenden Sie Ihre anderen Sitzungen: ${url}. Sagen Sie danach einem Admin Ihres Unternehmens Bescheid.`;
const notice =
  'Sie erhalten diese E-Mail, weil Sie das Portal benutzen. Im Portal können Sie sie unter „Konto“ abschalten.';

export const german: MailTexts = {
  test: ({ url }) => ({
    subject: 'Testmail',
    paragraphs: [`Dies ist ein Test. Der Dienst unter ${url} kann E-Mails senden.`],
    notes: [],
  }),
  invitation: ({ company, inviter, url, expires }, { time }) => ({
    subject: `Einladung in das Portal von ${company}`,
    paragraphs: [
      `${inviter} lädt Sie in das Jobticket-Portal von ${company} ein. Öffnen Sie den Link und wählen Sie ein Passwort.`,
    ],
    action: { label: 'Einladung annehmen', url },
    notes: [
      `Der Link funktioniert einmal, bis zum ${time(expires)}.`,
      'Wenn Sie keine Einladung erwarten, ignorieren Sie diese E-Mail.',
    ],
  }),
  verification: ({ company, url, expires }, { time }) => ({
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    paragraphs: [`Bestätigen Sie, dass dies Ihre E-Mail-Adresse im Jobticket-Portal von ${company} ist.`],
    action: { label: 'Adresse bestätigen', url },
    notes: [
      `Der Link funktioniert einmal, bis zum ${time(expires)}.`,
      'Wenn Sie dort kein Konto haben, ignorieren Sie diese E-Mail.',
    ],
  }),
  'password-reset': ({ company, url, expires }, { time }) => ({
    subject: 'Wählen Sie ein neues Passwort',
    paragraphs: [`Jemand hat für Ihr Konto im Jobticket-Portal von ${company} ein neues Passwort angefordert.`],
    action: { label: 'Neues Passwort wählen', url },
    notes: [
      `Der Link funktioniert einmal, bis zum ${time(expires)}.`,
      'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Ihr Passwort bleibt gleich.',
    ],
  }),
  'new-sign-in': ({ company, time: at, network, device, url }, { time }) => ({
    subject: 'Neue Anmeldung im Portal',
    paragraphs: [
      `Jemand hat sich mit Ihrem Konto im Jobticket-Portal von ${company} aus einem Netz angemeldet, das Sie bisher nicht benutzt haben.`,
      `Zeit: ${time(at)}. Netz: ${network}. Gerät: ${device}.`,
    ],
    notes: ['Wenn Sie das waren, müssen Sie nichts tun.', notYou(url)],
  }),
  'password-changed': ({ company, time: at, url }, { time }) => ({
    subject: 'Ihr Passwort wurde geändert',
    paragraphs: [
      `Das Passwort Ihres Kontos im Jobticket-Portal von ${company} wurde am ${time(at)} geändert. Alle anderen Sitzungen sind beendet.`,
    ],
    notes: [notYou(url)],
  }),
  'second-factor-changed': ({ company, change, time: at, url }, { time }) => {
    const what = {
      'app-added': 'Eine Authentifizierungs-App wurde hinzugefügt.',
      'app-removed': 'Die Authentifizierungs-App wurde entfernt.',
      'passkey-added': 'Ein Passkey wurde hinzugefügt.',
      'passkey-removed': 'Ein Passkey wurde entfernt.',
      'codes-renewed': 'Neue Wiederherstellungscodes wurden erstellt. Die alten funktionieren nicht mehr.',
      'reset-by-admin':
        'Ein Admin Ihres Unternehmens hat Ihre Authentifizierungs-App, Passkeys und Wiederherstellungscodes entfernt.',
      'reset-by-operator':
        'Der Betreiber hat Ihre Authentifizierungs-App, Passkeys und Wiederherstellungscodes entfernt.',
    }[change];
    return {
      subject: 'Ihr zweiter Faktor wurde geändert',
      paragraphs: [`Das wurde am ${time(at)} für Ihr Konto im Jobticket-Portal von ${company} geändert: ${what}`],
      notes: [notYou(url)],
    };
  },
  'signing-link': ({ company, name, url, expires }, { time }) => ({
    subject: `Ihre Vereinbarung über das Jobticket mit ${company}`,
    paragraphs: [
      `Guten Tag ${name},`,
      `${company} bietet Ihnen ein Jobticket an. Lesen und unterschreiben Sie die Vereinbarung über diesen Link.`,
    ],
    action: { label: 'Vereinbarung lesen und unterschreiben', url },
    notes: [`Der Link gilt nur für Sie, bis zum ${time(expires)}. Geben Sie ihn nicht weiter.`],
  }),
  'signing-reminder': ({ company, name, url, expires }, { time }) => ({
    subject: `Erinnerung: Ihre Vereinbarung über das Jobticket mit ${company}`,
    paragraphs: [
      `Guten Tag ${name},`,
      `Ihre Vereinbarung über das Jobticket mit ${company} ist noch offen. Lesen und unterschreiben Sie sie über diesen Link.`,
    ],
    action: { label: 'Vereinbarung lesen und unterschreiben', url },
    notes: [`Der Link gilt nur für Sie, bis zum ${time(expires)}. Geben Sie ihn nicht weiter.`],
  }),
  'removals-waiting': ({ company, integration, removals, url }) => ({
    subject: `${company}: ${removals} Abmeldungen warten auf Freigabe`,
    paragraphs: [
      `${removals} Beschäftigte fehlen in der neuesten Personalliste von ${integration}. Das sind zu viele Abmeldungen auf einmal: Jemand muss sie freigeben.`,
    ],
    action: { label: 'Abmeldungen prüfen', url },
    notes: [notice],
  }),
  'sync-failed': ({ company, integration, url }) => ({
    subject: `${company}: Abgleich mit ${integration} fehlgeschlagen`,
    paragraphs: [`Die neueste Personalliste von ${integration} wurde nicht übernommen. Es wurde nichts geändert.`],
    action: { label: 'Grund ansehen', url },
    notes: [notice],
  }),
  'roster-overdue': ({ company, integration, since, url }, { time }) => ({
    subject: `${company}: Personalliste von ${integration} überfällig`,
    paragraphs: [
      `Seit dem ${time(since)} ist keine Personalliste von ${integration} angekommen. Ein- und Austritte sind nicht auf dem neuesten Stand.`,
    ],
    action: { label: 'Integration prüfen', url },
    notes: [notice],
  }),
  'ticket-differences': ({ company, month: at, count, url }, { month }) => ({
    subject: `${company}: Tickets für ${month(at)} prüfen`,
    paragraphs: [
      `${count === 1 ? 'Ein Ticket' : `${count} Tickets`} für ${month(at)} ${count === 1 ? 'weicht' : 'weichen'} von dem ab, was beim Ticketaussteller vorliegt. Die Seite nennt für jedes, was zu tun ist.`,
    ],
    action: { label: 'Tickets ansehen', url },
    notes: [notice],
  }),
  'key-expiring': ({ company, key, expires, url }, { day }) => ({
    subject: `${company}: Der API-Schlüssel „${key}“ läuft bald ab`,
    paragraphs: [
      `Der API-Schlüssel „${key}“ funktioniert bis zum ${day(expires)}. Erstellen Sie vorher einen neuen und tragen Sie ihn in dem System ein, das ihn benutzt.`,
    ],
    action: { label: 'Schlüssel ansehen', url },
    notes: [notice],
  }),
  'webhook-disabled': ({ company, host, url }) => ({
    subject: `${company}: Ein Webhook-Endpunkt wurde deaktiviert`,
    paragraphs: [
      `Der Webhook-Endpunkt bei ${host} wurde deaktiviert, weil er keine Ereignisse mehr annimmt. Ereignisse warten, bis Sie ihn wieder aktivieren.`,
    ],
    action: { label: 'Endpunkt prüfen', url },
    notes: [notice],
  }),
  'month-billed': ({ company, month: at, url }, { month }) => ({
    subject: `${company}: ${month(at)} wurde abgerechnet`,
    paragraphs: [`Die Tickets für ${month(at)} wurden abgerechnet.`],
    action: { label: 'Abrechnung ansehen', url },
    notes: [notice],
  }),
  'price-changes': ({ company, month: at, cutOff, price, url }, { month, day }) => ({
    subject: `${company}: Neuer Ticketpreis ab ${month(at)}`,
    paragraphs: [
      `Ab ${month(at)} kostet das Ticket ${price}. Die Seite „Kostenregeln“ zeigt, was das für jede Regel bedeutet und ob Zustimmungen nötig sind.`,
      `Pausen und Kündigungen gelten bis zum ${day(cutOff)} noch vor dem neuen Preis. Wer den ganzen Preis zahlt, erhält vorher eine E-Mail.`,
    ],
    action: { label: 'Auswirkung ansehen', url },
    notes: [notice],
  }),
};
