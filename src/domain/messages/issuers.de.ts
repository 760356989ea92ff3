import type { issuers as english } from './issuers.en.ts';

export const issuers: { readonly [Key in keyof typeof english]: string } = {
  'order-not-required': 'Die Person braucht für diesen Monat kein Ticket mehr.',
  'order-month-over':
    'Der Monat ist vorbei, und es wurde kein Ticket bestellt. Es ist nichts zu tun: Es wird nicht berechnet.',
  'order-issuer-changed': 'Das Unternehmen hat inzwischen einen anderen Ticketaussteller.',
  'order-issuer-failed': 'Der Ticketaussteller hat die Bestellung abgelehnt ({code}): {detail}',
  'order-answer-invalid':
    'Die Antwort des Ticketausstellers ist keine Bestellung: {problem}. Bitte informieren Sie den Ticketaussteller.',
  'order-conflict':
    'Der Ticketaussteller führt unter dieser Nummer eine andere Bestellung. Bestellen Sie das Ticket neu.',
  'order-unknown': 'Der Ticketaussteller kennt die Bestellung nicht mehr. Bestellen Sie das Ticket neu.',
  'order-mismatch': 'Geliefert wurde ein anderes Ticket als bestellt: {differences:list}. Bestellen Sie es neu.',
  'order-blocked-by-issuer':
    'Der Ticketaussteller hat das Ticket gesperrt. Fragen Sie nach dem Grund, und bestellen Sie es bei Bedarf neu.',
  'order-blocked': 'Gesperrt: {detail:text}.',
  'order-replaced': 'Ersetzt: {detail:text}.',
  'block-lost': 'verloren',
  'block-unreadable': 'der Code war nicht lesbar',
  'block-new-phone': 'neues Telefon',
  'block-left': 'ausgeschieden',
  'block-agreement-rejected': 'die Vereinbarung wurde abgelehnt',
  'block-returned': 'das Ticket wurde zurückgegeben',
  'block-wrong': 'das Ticket war falsch',
  'differs-name': 'Name bestellt {ordered}, geliefert {received}',
  'differs-birth': 'Geburtsdatum bestellt {ordered}, geliefert {received}',
  'differs-from': 'gültig ab {received} statt {ordered}',
  'differs-until': 'gültig bis {received} statt {ordered}',
  'differs-barcode-name': 'Name bestellt {ordered}, im Barcode {received}',
  'differs-barcode-birth': 'Geburtsdatum bestellt {ordered}, im Barcode {received}',
  'differs-barcode-validity': 'gültig {ordered}, im Barcode {received}',
  'differs-barcode-number': 'Ticketnummer {ordered}, im Barcode {received}',
  'differs-barcode-unreadable': 'der Barcode ist nicht lesbar ({received})',
  'differs-barcode-used': 'der Barcode gehört zu einer anderen Bestellung',
  'differs-number-used': 'die Ticketnummer {received} gehört zu einer anderen Person',
  'issuer-unreachable': 'Der Ticketaussteller war nicht erreichbar ({error}). Es wird erneut versucht.',
  'issuer-error-status': 'Der Ticketaussteller hat mit dem Fehler {status} geantwortet. Es wird erneut versucht.',
  'issuer-limited': 'Der Ticketaussteller begrenzt die Anfragen. Es wird erneut versucht, sobald er es erlaubt.',
  'issuer-refused':
    'Der Ticketaussteller hat das Token abgelehnt ({status}). Tragen Sie mit „issuer set“ ein neues ein.',
  'issuer-not-json':
    'Die Antwort des Ticketausstellers ist kein JSON. Falls das anhält, wenden Sie sich an den Ticketaussteller.',
  'issuer-too-large':
    'Der Ticketaussteller hat mehr Daten auf einmal gesendet, als gelesen werden. Wenden Sie sich an ihn.',
  'difference-not-ordered': 'Es ist noch kein Ticket bestellt. Es wird bestellt; prüfen Sie es morgen noch einmal.',
  'difference-not-confirmed':
    'Bestellt, aber vom Ticketaussteller nicht bestätigt. Fragen Sie dort nach, falls das anhält.',
  'difference-failed': 'Die Bestellung ist gescheitert: {detail:list} Beheben Sie die Ursache, und bestellen Sie neu.',
  'difference-ended': 'Das Ticket wurde gesperrt, aber die Person muss eines haben. Ersetzen Sie es.',
  'difference-double': 'Der Ticketaussteller führt {count} Tickets dieser Person. Sperren Sie alle bis auf eines.',
  'difference-still-ordered':
    'Die Person braucht kein Ticket, der Ticketaussteller führt aber eines. Es wird gesperrt; fragen Sie nach, falls das anhält.',
  'difference-unknown-order':
    'Der Ticketaussteller führt eine Bestellung {orderId}, die wir nicht kennen. Bitten Sie ihn, sie zu stornieren.',
  'difference-name': 'Das Ticket lautet auf {received}; die Person heißt jetzt {ordered}. Ersetzen Sie es.',
  'difference-state':
    'Die Bestellung ist beim Ticketaussteller {received}, bei uns {ordered}. Sie wird erneut abgefragt.',
  'returned-no-lists':
    'Der Ticketaussteller dieser Firma schickt keine Listen zurück. Wählen Sie ihn mit „issuer set --issuer order-list“.',
  'returned-too-large': 'Die Datei hat mehr als {limit:count} Bytes. Bitten Sie um mehrere Dateien.',
  'returned-many-rows': 'Die Datei hat mehr als {limit:count} Zeilen. Bitten Sie um mehrere Dateien.',
  'returned-long-cell':
    'Zeile {row}: Die Zelle {field} ist zu lang. Korrigieren Sie sie, und laden Sie die Datei erneut hoch.',
  'returned-row': 'Zeile {row} {detail:list}. Korrigieren Sie sie, und laden Sie die Datei erneut hoch.',
  'returned-without-tickets':
    'Keine Spalte enthält Ticketnummern, Chipkartennummern, Aktivierungscodes oder Barcodes. Benennen Sie eine so, oder nennen Sie sie in der Zuordnung.',
  'returned-without-people':
    'Keine Spalte enthält Bestellnummern, HR-IDs oder Namen. Benennen Sie eine so, oder nennen Sie sie in der Zuordnung.',
  'returned-unknown-order':
    'In diesem Monat gibt es keine Bestellung {orderId}. Wählen Sie, wem das Ticket gehört, oder verwerfen Sie die Zeile.',
  'returned-unknown-hr-id':
    'Für die HR-ID {hrId} ist nichts bestellt. Wählen Sie, wem das Ticket gehört, oder verwerfen Sie die Zeile.',
  'returned-several': 'Mehrere Personen passen. Wählen Sie, wem das Ticket gehört.',
  'returned-nobody':
    'Die Zeile hat keine Bestellnummer, und für niemanden mit diesem Namen und Geburtsdatum ist etwas bestellt. Wählen Sie, wem das Ticket gehört.',
  'returned-confirm': 'Name und Geburtsdatum stimmen mit {name} überein. Bestätigen Sie, dass es deren Ticket ist.',
  'returned-other-name':
    'Bestellt ist für {ordered}, in der Zeile steht {received}. Fragen Sie den Ticketaussteller, wem das Ticket gehört.',
  'returned-other-birth':
    'Bestellt ist mit dem Geburtsdatum {ordered}, in der Zeile steht {received}. Fragen Sie den Ticketaussteller, wem das Ticket gehört.',
  'returned-ended':
    'Die Bestellung wurde gesperrt oder ersetzt. Lassen Sie das Ticket stornieren, und verwerfen Sie dann die Zeile.',
  'returned-cell': 'Die Zelle {field} ist nicht lesbar. Bitten Sie um eine korrigierte Datei.',
  'returned-other-ticket':
    'Die Person hat schon ein anderes Ticket. Sperren oder ersetzen Sie es zuerst, falls dieses richtig ist; sonst verwerfen Sie die Zeile.',
  'returned-empty': 'Die Zeile enthält kein Ticket. Fragen Sie beim Ticketaussteller danach.',
  'returned-twice': 'Mehrere Zeilen enthalten verschiedene Tickets zu derselben Bestellung. Wählen Sie das richtige.',
  'returned-no-order':
    'Person {id} hat in diesem Monat keine Bestellung, die auf ein Ticket wartet. Wählen Sie eine andere.',
  'summary-required': 'Noch nicht bestellt. Bestellt wird, sobald der Ticketaussteller erreichbar ist.',
  'summary-ordered':
    'Bestellt, aber das Ticket ist noch nicht da. Fragen Sie beim Ticketaussteller nach, wenn das anhält.',
  'summary-mismatch':
    'Geliefert wurde ein anderes Ticket als bestellt: Name, Geburtsdatum, Gültigkeit oder Nummer weichen ab. Klären Sie das mit dem Ticketaussteller, und bestellen Sie neu.',
  'summary-answer-invalid':
    'Die Antwort des Ticketausstellers ist keine Bestellung. Bitte informieren Sie den Ticketaussteller.',
  'summary-returned':
    'Laut Liste des Ticketausstellers gibt es kein Ticket. Der Grund steht unten bei der Bestellung. Bestellen Sie danach neu.',
  'summary-refused':
    'Der Ticketaussteller hat die Bestellung abgelehnt ({code}). Berichtigen Sie die Daten in den Personaldaten, oder fragen Sie beim Ticketaussteller nach. Bestellen Sie danach neu.',
  'summary-tried-again':
    'Der Ticketaussteller kann die Bestellung noch nicht ausführen ({code}). Der Versuch wird wiederholt.',
  'delivery-mail-failed':
    'Der Mailserver hat die Bestellliste für {address} nicht angenommen ({code}). Der Versuch wird wiederholt. Informieren Sie den Betreiber, wenn das anhält.',
  'delivery-mail-refused':
    'Der Mailserver lehnt {address} ab ({code}). Berichtigen Sie die Adresse in den Einstellungen der Bestelllisten.',
  'delivery-mail-not-allowed':
    'Nicht an {address} gesendet: Diese Testumgebung schreibt nur an Adressen, die der Betreiber erlaubt.',
  'delivery-mail-large':
    'Die Bestellliste hat {bytes:count} Bytes und ist zu groß für eine E-Mail. Tauschen Sie Listen per SFTP aus, oder laden Sie sie herunter und übergeben Sie sie selbst.',
  'delivery-no-mail-server': 'Der Service hat keinen Mailserver. Der Betreiber muss einen einrichten.',
  'delivery-not-lists':
    'Der Ticketaussteller dieses Unternehmens nimmt keine Bestelllisten an. Es ist nichts zu senden.',
  'delivery-not-set': 'Es ist nicht festgelegt, wie Bestelllisten gesendet werden. Richten Sie das zuerst ein.',
  'delivery-missing': 'Füllen Sie dieses Feld aus.',
  'delivery-secret-again':
    'Geben Sie das Passwort oder den Schlüssel noch einmal ein: Gespeichert ist das für einen anderen Server oder Benutzer.',
  'delivery-returned-month':
    'Der Pfad muss %Y und %m enthalten, die für Jahr und Monat stehen, zum Beispiel /out/tickets-%Y-%m*.csv.',
  'invoice-unknown':
    'Berechnet, aber kein Ticket und keine Bestellung des Unternehmens hat diese Nummer. Bitten Sie den Ticketaussteller, die Zeile zu streichen.',
  'invoice-double':
    'Berechnet, obwohl das Ticket dieser Person schon auf der Rechnung steht. Bitten Sie den Ticketaussteller, die Zeile zu streichen.',
  'invoice-not-in-force':
    'Berechnet, aber das Ticket war nie gültig: Es wurde vorher gesperrt oder ist falsch. Bitten Sie den Ticketaussteller, die Zeile zu streichen.',
  'invoice-price':
    'Zu einem anderen Preis berechnet als vereinbart. Vergleichen Sie die Preisliste, und fragen Sie dann beim Ticketaussteller nach.',
  'invoice-other-month':
    'Berechnet, aber das Ticket gehört zu einem anderen Monat. Prüfen Sie, ob es auch dort berechnet wurde.',
  'invoice-other-charge': 'Ein Posten ohne Ticket. Vergleichen Sie ihn mit dem Vertrag.',
  'invoice-credit': 'Eine Gutschrift. Prüfen Sie, welche Zeile dieser oder einer früheren Rechnung sie berichtigt.',
  'invoice-not-billed':
    'In diesem Monat gültig, aber nicht auf der Rechnung. Rechnen Sie mit der nächsten Rechnung damit.',
  'invoice-no-columns':
    'Die Datei hat keine Spalte mit Bestell- oder Ticketnummern oder keine mit Beträgen. Benennen Sie sie „Bestellnummer“ oder „Ticketnummer“ und „Betrag“.',
  'invoice-wrong-amount':
    'Zeile {row}: „{value}“ ist kein Betrag in Euro wie 59,85, oder nicht eindeutig. Berichtigen Sie ihn.',
  'invoice-wrong-month': 'Zeile {row}: „{value}“ ist kein Monat wie 2026-12. Berichtigen Sie ihn.',
  'invoice-too-long': 'Die Datei hat mehr als {most} Zeilen. Teilen Sie sie nach Monaten auf.',
  'invoice-too-large': 'Die Datei ist größer als {most} MiB. Speichern Sie sie als CSV, nur mit den nötigen Spalten.',
};
