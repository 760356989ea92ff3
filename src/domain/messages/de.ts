import { connectors } from './connectors.de.ts';
import type { en } from './en.ts';
import { issuers } from './issuers.de.ts';
import { own } from './my.de.ts';
import { policies } from './policies.de.ts';

/**
 * The German catalogue of the sentences that the service sends as key and values. `src/domain/messages/en.ts` explains
 * the placeholders.
 */
export const de: { readonly [Key in keyof typeof en]: string } = {
  'start-awaits-absence-end':
    'Abwesend ohne bekanntes Ende: Der Beginn verschiebt sich von Monat zu Monat, derzeit auf den {on:date}.',
  'start-next-month': 'Beginnt am {on:date}, mit dem nächsten vollen Monat.',
  'start-with-employment':
    'Beschäftigt ab {employedFrom:date}: beginnt am {on:date}, mit dem ersten Monat, der an oder nach diesem Tag anfängt.',
  'plan-change-announced': 'Ab {on:date} ändern sich die Kosten des Tickets. Der Eigenanteil steigt nicht.',
  'plan-change-offered': 'Ab {on:date} soll der Eigenanteil steigen. Er bleibt, bis die Person zustimmt.',
  'plan-change-accepted': 'Dem höheren Eigenanteil ab {on:date} wurde zugestimmt.',
  'plan-change-rejected': 'Dem höheren Eigenanteil wurde nicht zugestimmt: Er bleibt, wie er ist.',
  'plan-change-no-answer': 'Keine Zustimmung zum höheren Eigenanteil bis zum Ende der Frist: Er bleibt, wie er ist.',
  'plan-changed': 'Das neue Kostenmodell gilt ab dem {on:date}.',
  'start-after-waiting':
    'Tickets erst nach {waitingMonths} Monaten Beschäftigung, ab {waitsUntil:date}: beginnt am {on:date}, mit dem ersten Monat danach.',
  'start-after-absence':
    'Vorher ganze Monate abwesend: beginnt am {on:date}, mit dem ersten Monat, der nicht ganz in die Abwesenheit fällt.',
  'start-after-pause': 'Vorher pausiert: Das Abo beginnt am {on:date}, dem ersten Monat ohne Pause.',
  'start-requested': 'Das Abo beginnt wie gewünscht am {on:date}.',
  'start-awaits-resumption':
    'Bis auf Weiteres pausiert: Der Beginn verschiebt sich Monat für Monat, derzeit auf den {on:date}.',
  'start-awaits-contract': 'Die Vereinbarung ist noch nicht angenommen: Der Beginn verschiebt sich auf den {on:date}.',
  'start-has-come': 'Das Abo beginnt wie geplant am {on:date}.',
  'contract-accepted': 'Die Vereinbarung ist angenommen.',
  'contract-accepted-start': 'Die Vereinbarung ist angenommen: Das Abo kann am {on:date} beginnen.',
  'contract-consent': '{how:text}: Die Vereinbarung ist angenommen.',
  'contract-consent-start': '{how:text}: Die Vereinbarung ist angenommen, und das Abo kann am {on:date} beginnen.',
  'paused-from': '{reason:text}: pausiert ab {on:date} {until:text}.',
  'known-after-cut-off':
    '{reason:text}, bekannt seit dem {knownDay:ordinal} und damit nach dem Stichtag am {cutOffDay:ordinal}: wirksam zum {on:date} statt zum {requestedOn:date}.',
  'pause-taken-back': 'Für eine Pause gibt es keinen Grund mehr: Die für den {on:date} geplante Pause entfällt.',
  'pause-has-come': 'Die Pause beginnt wie geplant am {on:date} und dauert {until:text}.',
  'pause-taken-back-on-request': '{reason:text}: Die Pause ab dem {on:date} entfällt.',
  'resumption-requested': '{reason:text}: Tickets gibt es wieder ab dem {on:date}.',
  'resumption-awaits-others': '{reason:text}, aus anderen Gründen aber noch pausiert {until:text}.',
  'resumption-unknown': 'Die Pause dauert bis auf Weiteres, weil ihr Ende nicht bekannt ist.',
  'resumption-known': 'Ab {on:date}, dem ersten möglichen Monat, gibt es wieder Tickets.',
  'resumption-has-come': 'Ab {on:date} gibt es wie geplant wieder Tickets.',
  'end-requested': '{reason:text}: endet wie gewünscht mit dem {on:lastDay}.',
  'undone-subscribe': 'Der Abschluss wurde rückgängig gemacht: Es gilt wieder, was vorher galt.',
  'undone-pause': 'Die Pause wurde rückgängig gemacht: Es gilt wieder, was vorher galt.',
  'undone-resume': 'Die Fortsetzung wurde rückgängig gemacht: Es gilt wieder, was vorher galt.',
  'undone-cancel': 'Die Kündigung wurde rückgängig gemacht: Es gilt wieder, was vorher galt.',
  'end-as-planned': '{reason:text}: endet mit dem {on:lastDay}, wie bereits geplant.',
  'end-without-ticket': '{reason:text}: Es läuft kein Ticket, und keines ist geplant. Das Abo endet heute.',
  'end-after-termination': '{reason:text}: endet mit dem {on:lastDay}, dem Ticket dieses Monats.',
  'end-at-earliest': '{reason:text}: endet mit dem {on:lastDay}, dem Ticket des laufenden Monats.',
  'end-before-start':
    'Der nächste mögliche Beginn, der {on:date}, lässt vor dem Ende keinen Monat übrig. Das Abo endet heute.',
  'end-taken-back': 'Für ein Ende gibt es keinen Grund mehr: Das nach dem {on:lastDay} geplante Ende entfällt.',
  'end-has-come': 'Das Abo endete wie geplant mit dem {on:lastDay}.',
  'not-subscribed-opted-out': 'Kein Abo: Im HR-System ist die Person abgewählt.',
  'not-subscribed-not-requested':
    'Kein Abo: Das HR-System macht dazu keine Angabe, und es wurde keines manuell abgeschlossen.',
  'not-subscribed-not-joined':
    'Kein Abo: Die Person ist noch nicht beigetreten, und es wurde keines manuell abgeschlossen.',
  'not-subscribed-employment-ends': 'Kein Abo, denn {ends:text}, vor dem ersten möglichen Ticket am {on:date}.',
  'not-subscribed-absent': 'Kein Abo: Die Person ist ohne bekanntes Ende abwesend, und {ends:text}.',
  'not-subscribed-ended-by-employee':
    'Kein neues Abo: Die Person hat es selbst beendet. Nur sie startet es wieder, oder das Unternehmen mit ihrer Zustimmung.',
  'not-subscribed-ended-by-company':
    'Kein neues Abo: Das Unternehmen hat es beendet. Nur das Unternehmen startet es wieder.',
  'not-subscribed-pause-requested':
    'Kein neues Abo: Eine Pause auf Wunsch gilt weiter. Sie können das Abo manuell neu abschließen.',
  'answer-active': '{name} hat das Ticket, nächstes zum {on:date}.',
  'answer-due': 'Das Ticket von {name} für diesen Monat steht noch aus.',
  'answer-pausing': '{name} hat das Ticket noch bis {on:lastDay}, danach pausiert das Abo {until:text}.',
  'answer-ends': '{name} hat das Ticket noch bis {on:lastDay}.',
  'answer-paused': 'Das Abo von {name} pausiert {until:text}.',
  'answer-paused-ends': 'Das Abo von {name} pausiert und endet am {on:lastDay}, ohne weiteres Ticket.',
  'answer-starts': '{name} bekommt das Ticket ab {on:date}.',
  'answer-awaits-consent':
    '{name} bekommt das Ticket, sobald die Vereinbarung unterschrieben ist, frühestens zum {on:date}.',
  'answer-awaits-absence-end': '{name} bekommt das Ticket nach der Abwesenheit.',
  'answer-awaits-resumption': '{name} bekommt das Ticket nach dem Ende der Pause.',
  'answer-ended': '{name} hat seit {on:date} kein Ticket mehr.',
  'answer-ended-unused': '{name} hat kein Ticket: Das Abo endete vor dem ersten.',
  'joining-not-allowed':
    'Beschäftigte können in diesem Unternehmen nicht selbst beitreten: Die Personalliste entscheidet, wer ein Ticket hat.',
  'answer-invited': 'Am {on:date} zum Beitritt eingeladen, noch nicht entschieden.',
  'answer-none': '{name} hat kein Ticket.',
  'answer-removed': '{name} steht nicht mehr auf der Personalliste und wird heute entfernt.',
  'answer-end-reason': 'Grund für das Ende: {reason:text}.',
  'answer-ends-because': 'Das Abo endet am {on:lastDay}. Grund: {reason:text}.',
  'answer-ends-late':
    '{reason:text}. Das wurde nach dem Stichtag gemeldet, deshalb endet das Abo erst am {on:lastDay}.',
  'answer-leaving': 'Wird am {on:date} aus der Liste der Beschäftigten entfernt.',
  'answer-absent': 'Abwesend vom {from:date} bis {to:date}.',
  'answer-absent-open': 'Abwesend ab {from:date}, Ende offen.',
  'answer-employed-from': 'Erster Arbeitstag ist der {employedFrom:date}.',
  'answer-paused-by-employee': 'Die Person hat das Abo pausiert.',
  'answer-paused-by-company': 'Das Unternehmen hat das Abo pausiert.',
  'answer-asked-start': 'Der Beginn ist so gewünscht.',
  'answer-pause-over': 'Für die Pause gibt es keinen Grund mehr.',
  'answer-next-month': 'Das Abo beginnt mit dem nächsten vollen Monat.',
  'answer-since': 'Im Abo seit {on:date}.',
  'answer-no-link': 'Die Vereinbarung ist offen, und es gibt keinen gültigen Link zum Unterschreiben.',
  'answer-link':
    'Die Vereinbarung ist offen. Der Link zum Unterschreiben ist vom {createdOn:date} und gilt bis {expiresOn:date}.',
  'mapping-terminationDate': 'Beschäftigung endet, weil `{attribute}` = {value}.',
  'mapping-autoSyncEmployee': 'Über das Abo entscheidet `{attribute}` = {value}.',
  'mapping-absences': 'Abwesend wegen „{value}“.',
  'mapping-absences-nameless': 'Abwesenheit im HR-System.',
  'mapping-include': 'Nicht auf der Personalliste, weil `{attribute}` = {value}.',

  'consent-electronically': 'Am {givenOn:date} elektronisch zugestimmt',
  'consent-on-paper': 'Am {givenOn:date} auf Papier zugestimmt',
  'pause-reason-request': 'Auf Wunsch pausiert',
  'pause-reason-absence': 'Ganze Monate abwesend',
  'pause-reason-employment': 'Erst ab {employedFrom:date} beschäftigt',
  'pause-reason-employee': 'Auf Wunsch der Person pausiert',
  'pause-reason-company': 'Vom Unternehmen pausiert',
  'resume-reason-employee': 'Von der Person fortgesetzt',
  'resume-reason-company': 'Vom Unternehmen fortgesetzt',
  'until-further-notice': 'bis auf Weiteres',
  'until-resumption': 'bis zum nächsten Ticket am {resumesOn:date}',
  'end-reason-termination': 'Die Beschäftigung endet',
  'end-reason-termination-on': 'Die Beschäftigung endet am {terminatedOn:date}',
  'end-reason-terminated-on': 'Die Beschäftigung endete am {terminatedOn:date}',
  'end-reason-offboard': 'Nicht mehr auf der Personalliste',
  'end-reason-contract-rejected': 'Die Vereinbarung ist abgelehnt',
  'end-reason-opt-out': 'Im HR-System abgewählt',
  'end-reason-cancel': 'Auf Wunsch beendet',
  'end-reason-cancel-employee': 'Von der Person gekündigt',
  'end-reason-cancel-company': 'Vom Unternehmen beendet',
  'employment-ends': 'die Beschäftigung endet',
  'employment-ends-on': 'die Beschäftigung endet am {terminatedOn:date}',

  'refusal-not-possible-in-this-status': 'Das geht nicht, solange das Abo diesen Status hat: {status:status}.',
  'refusal-not-in-roster':
    'Die Person steht nicht mehr auf der Personalliste. Nehmen Sie sie zuerst wieder auf die Personalliste.',
  'refusal-opted-out': 'Im HR-System ist die Person abgewählt. Ändern Sie das zuerst im HR-System.',
  'refusal-employment-ends':
    'Die Beschäftigung endet, bevor ein Ticket ausgestellt werden könnte. Berichtigen Sie zuerst den letzten Arbeitstag im HR-System.',
  'refusal-no-contract': 'Das Kostenmodell dieser Person braucht keine Vereinbarung.',
  'refusal-ended-by-employee': 'Die Person hat das Abo selbst beendet. Sie kann es selbst wieder starten.',
  'refusal-joining-not-allowed':
    'In diesem Unternehmen bestellen Beschäftigte Tickets nicht selbst. Fragen Sie die Personalabteilung.',
  'refusal-ended-by-company':
    'Das Unternehmen hat das Abo beendet. Bitten Sie die Personalabteilung, es wieder zu starten.',
  'refusal-consent-required':
    'Die Person hat das Abo selbst beendet. Halten Sie ihre Zustimmung fest und schließen Sie das Abo dann ab.',
  'refusal-contract-rejected':
    'Die Vereinbarung ist abgelehnt. Nehmen Sie sie an, oder schließen Sie nach dem Ende ein neues Abo ab.',
  'refusal-not-paused': 'Es gibt keine Pause, die enden könnte. Laden Sie das Abo neu.',
  'refusal-paused-by-employee': 'Die Person hat das Abo pausiert. Sie kann es selbst fortsetzen.',
  'refusal-paused-by-company':
    'Das Unternehmen hat das Abo pausiert. Bitten Sie die Personalabteilung, es fortzusetzen.',
  'refusal-pause-ends-earlier': 'Die Pause endet schon vorher. Wählen Sie einen früheren Monat oder eine neue Pause.',
  'refusal-after-cut-off':
    'Der Stichtag für den nächsten Monat ist vorbei. Wählen Sie den {on:date} oder einen späteren Monat.',
  'refusal-too-early': 'Dieser Monat ist zu früh. Wählen Sie den {on:date} oder einen späteren Monat.',
  'refusal-too-far-ahead': 'Dieser Monat ist zu weit entfernt. Wählen Sie einen innerhalb der nächsten fünf Jahre.',
  'refusal-until-too-early':
    'Die Pause muss nach ihrem Beginn und in einem künftigen Monat enden. Wählen Sie einen späteren Monat.',
  'refusal-until-without-pause': 'Nur eine Pause hat ein Ende. Lassen Sie `until` weg.',
  'refusal-still-running': 'Bis dahin läuft das Abo noch. Wählen Sie den {on:date} oder einen früheren Monat.',
  'refusal-ends-before':
    'Das Abo endet vorher. Wählen Sie einen früheren Monat, oder nehmen Sie zuerst das Ende zurück.',
  'refusal-absence-without-end':
    'Dieser Monat fällt in eine Abwesenheit oder Pause ohne Ende. Lassen Sie den Monat weg: Das Abo beginnt danach.',
  'refusal-undo-too-late': 'Das lässt sich nicht mehr rückgängig machen. Wählen Sie stattdessen das Gegenteil.',
  'refusal-undo-not-possible':
    'Das lässt sich nicht rückgängig machen: Inzwischen hat sich etwas anderes geändert. Wählen Sie, was gelten soll.',
  'refusal-pause-follows-absence':
    'Der Grund der Pause ist eine Abwesenheit oder ein späterer erster Arbeitstag. Ändern Sie das im HR-System.',

  'record-created': 'Neu auf der Personalliste.',
  'record-hr-id-reused':
    'Neu auf der Personalliste. Die HR-ID gehörte einer anderen Person, deren Daten getrennt bleiben.',
  'record-updated': 'Auf der Personalliste geändert.',
  'record-linked': 'Über die E-Mail-Adresse zugeordnet und mit dieser Integration verknüpft.',
  'record-renumbered': 'Über die E-Mail-Adresse zugeordnet. Das HR-System hat eine neue ID vergeben.',
  'record-returned': 'Wieder auf der Personalliste.',
  'record-unlinked':
    'Fehlt auf der Personalliste. Eine andere Integration führt die Person noch, daher entfällt nur diese Verknüpfung.',
  'record-removed': 'Fehlt auf der Personalliste. Sofort entfernt, da kein Ticket läuft.',
  'record-offboarded': 'Fehlt auf der Personalliste. Wird entfernt, wenn das laufende Ticket abläuft.',
  'record-removal-held': 'Fehlt auf der Personalliste. Zu viele Abmeldungen auf einmal: Freigabe erforderlich.',
  'late-termination':
    'Letzter Arbeitstag am {terminatedOn:date}, zu spät gemeldet für {months}: Tickets für {amount} wurden berechnet. Vorschlag: Posten {items} korrigieren, falls die Tickets nicht genutzt wurden.',
  'late-absence':
    'Abwesend im ganzen Zeitraum {months}, zu spät gemeldet: Tickets für {amount} wurden berechnet. Vorschlag: Posten {items} korrigieren, falls die Tickets nicht genutzt wurden.',
  'record-email-taken':
    'Die E-Mail-Adresse gehört bereits der Person mit der Nummer {holderId}. Berichtigen Sie eine der beiden im HR-System.',
  'record-hr-id-held':
    'Die HR-ID gehörte der Person mit der Nummer {holderId}, deren Abmeldung auf Freigabe wartet. Entscheiden Sie darüber und senden Sie die Personalliste dann erneut.',

  'value-required': 'ist erforderlich',
  'value-missing': 'fehlt',
  'value-unknown-property': 'ist unbekannt',
  'value-invalid': 'ist ungültig',
  'value-one-of': 'muss einer dieser Werte sein: {values}',
  'value-true-or-false': 'muss `true` oder `false` sein',
  'value-type': 'muss vom Typ {type} sein',
  'value-at-least': 'muss mindestens {limit} sein',
  'value-at-most': 'darf höchstens {limit} sein',
  'value-between': 'muss eine ganze Zahl von {minimum} bis {maximum} sein',
  'value-first-of-month': 'muss der erste Tag eines Monats sein, etwa 2026-11-01',
  'value-email': 'muss eine E-Mail-Adresse sein',
  'value-email-example': 'muss eine E-Mail-Adresse sein, etwa {example}',
  'value-single-line':
    'muss sichtbarer Text in einer Zeile sein, ohne Steuerzeichen, ohne Zeichen, die die Schreibrichtung ändern, und ohne U+FFFD',
  'value-format': 'muss das Format {format} haben',
  'value-pattern': 'muss dem Muster {pattern} entsprechen',
  'value-without-nul': 'darf das Zeichen NUL nicht enthalten',
  'value-next-page': 'muss `next` der vorigen Seite sein',
  'value-request-id': 'muss eine vollständige Anfrage-ID sein, wie im Header `X-Request-Id` einer Antwort',
  'value-empty': 'darf nicht leer sein',
  'value-invisible': 'muss mindestens ein sichtbares Zeichen enthalten',
  'value-too-short': 'muss mindestens {limit} Zeichen haben',
  'value-too-long': 'darf höchstens {limit} Zeichen haben',
  'value-encoding': 'muss prozentkodiertes UTF-8 sein, etwa `M%C3%BCller`',
  'value-once': 'darf nur einmal vorkommen',
  'value-unknown-parameter': 'ist unbekannt; bekannt sind {names}',
  'value-no-parameters': 'ist unbekannt; hier gibt es keine Parameter',
  'value-misspelt-parameter': 'ist unbekannt; meinten Sie `{nearest}`?',
  'value-unpaired-surrogate': 'darf kein unvollständiges Zeichen (Surrogat) enthalten',
  'value-control-character':
    'darf keine Steuerzeichen und Zeilenumbrüche enthalten: Entfernen Sie {character} an Stelle {position}',
  'value-direction-character':
    'darf keine Zeichen enthalten, die die Schreibrichtung ändern: Entfernen Sie {character} an Stelle {position}',
  'value-replacement-character':
    'enthält das Ersatzzeichen {character} an Stelle {position}: Text in Windows-1252 (cp1252) oder Latin-1 wurde als UTF-8 gelesen. Exportieren Sie ihn erneut in UTF-8',
  'value-idempotency-key': 'muss 1 bis 255 sichtbare ASCII-Zeichen ohne Leerzeichen haben',
  'value-too-few-items': 'muss mindestens {limit} Werte haben',
  'value-too-many-items': 'darf höchstens {limit} Werte haben',
  'value-repeated-items': 'darf keinen Wert mehrfach enthalten',
  'value-string': 'muss Text sein',
  'value-newest-sequence':
    'darf höchstens {newest} sein, die Nummer des neuesten Ereignisses; verwenden Sie `nextAfter` aus dieser Umgebung und diesem Unternehmen, oder beginnen Sie ohne `after`',
  'value-not-future': 'darf nicht in der Zukunft liegen',
  'forecast-policy': 'ist keine Regelung Ihres Unternehmens',
  'forecast-terms':
    'braucht für die Zuzahlung genau eines von `employeeCents`, `employerCents` und `employerPercent`, sonst keines, und Grenzen nur beim Prozentsatz',
  'corrections-either': 'passt nicht zu „items“: Senden Sie entweder die Nummern von Posten oder eine Person',
  'corrections-neither': 'fehlt: Senden Sie die Nummern von Posten in „items“, oder „employeeId“ mit „from“',
  'corrections-no-month': 'fehlt: Senden Sie den ersten Monat, dessen Ticket storniert wird',
  'corrections-months': 'darf nicht vor „from“ liegen',
  'logo-not-usable':
    'Die Datei ist kein PNG-Bild, das Briefe zeigen können. Speichern Sie es als PNG ohne Interlacing, mit höchstens {kilobytes} KB und {pixels} Pixeln je Seite, und wählen Sie es erneut aus.',
  'documents-being-written':
    '{count} dieser Dokumente werden noch erstellt. Versuchen Sie es in einigen Minuten erneut.',
  'documents-too-many':
    '{count} Dokumente passen, ein Archiv enthält höchstens {limit}. Wählen Sie einen Monat, eine Art oder eine Person.',
  'document-not-a-pdf': 'Die Datei ist keine PDF-Datei. Speichern Sie sie als PDF und wählen Sie sie erneut aus.',
  'value-future': 'muss in der Zukunft liegen',
  'value-not-before-from': 'darf nicht kleiner als `from` sein',
  'value-later-than-today': 'muss nach dem heutigen {today:date} liegen, denn die Zeit läuft nur vorwärts',
  'value-too-far': 'darf höchstens {days} Tage entfernt sein, also spätestens der {last:date}',
  'value-reply-to': 'muss eine E-Mail-Adresse sein',
  'value-mail-required': 'kann nicht abgeschaltet werden',
  'value-mail-kinds': 'enthält eine unbekannte E-Mail. Möglich sind: {names}',
  'value-locale': 'muss ein Gebietsschema wie de-DE oder en-GB sein',
  'value-time-zone': 'muss eine Zeitzone wie Europe/Berlin sein',
  'value-benefit-valuation': 'muss 100 oder 96 sein',
  'value-company-name': 'muss 1 bis 200 Zeichen haben, ohne Steuerzeichen',
  'batch-employee-gone': 'Diese Person gibt es nicht mehr.',
  'value-unprintable': 'darf „{character}“ nicht enthalten: Die Schrift der Dokumente hat dieses Zeichen nicht',
  'value-vat-id': 'muss eine USt-IdNr. mit Land sein, etwa DE123456789',
  'value-country': 'muss ein Ländercode aus zwei Buchstaben sein, etwa DE',
  'value-leitweg-id': 'muss eine Leitweg-ID mit richtiger Prüfziffer am Ende sein: Vergleichen Sie sie mit dem Auftrag',
  'value-phone': 'muss eine Telefonnummer mit mindestens drei Ziffern sein, etwa +49 30 1234567',
  'value-iban': 'muss eine IBAN mit richtiger Prüfziffer sein: Vergleichen Sie sie mit einem Kontoauszug',
  'value-bic': 'muss ein BIC mit 8 oder 11 Zeichen sein, etwa COBADEFFXXX',
  'url-not-url': 'muss eine URL sein, etwa https://example.com/webhooks',
  'url-not-https': 'muss mit https:// beginnen',
  'url-not-https-in-production': 'muss in der Produktion mit https:// beginnen',
  'url-credentials': 'darf keine Zugangsdaten enthalten: Prüfen Sie stattdessen die Signatur jeder Zustellung',
  'url-fragment': 'darf kein Fragment enthalten: Entfernen Sie das # und was darauf folgt',
  'url-port': 'muss Port 443 oder einen Port von 1024 bis 65535 verwenden, nicht {port}',
  'url-private': 'muss öffentlich erreichbar sein: Verwenden Sie einen Host, den das Internet erreicht',
  'password-common':
    'gehört zu den Passwörtern, die zuerst erraten werden: Wählen Sie mehrere Wörter, die nicht zusammengehören',
  'sso-not-discoverable': 'veröffentlicht keine Konfiguration von OpenID Connect, die diesen Aussteller nennt',
  'sso-break-glass':
    'muss jemand mit der Rolle Administration und einem Passwort sein, wenn Single Sign-on Pflicht ist',
  'sso-no-domain': 'braucht eine bestätigte Domain',
  'sso-secret-missing': 'fehlt',
  'sso-domain': 'muss eine Domain sein, etwa example.com',
  'sso-domains-many': 'ist eine zu viel: höchstens {limit}',
  'sso-domain-taken': 'gehört hier einem anderen Unternehmen: Wenden Sie sich an den Betreiber',
  'password-contains-address': 'darf weder die E-Mail-Adresse noch ihren Teil vor dem @ enthalten',

  'entry-object': 'muss ein Objekt sein',
  'entry-body': 'muss ein Objekt mit `syncId` und `employees` sein',
  'entry-array': 'muss eine Liste sein',
  'entry-nobody': 'muss alle Beschäftigten enthalten und darf nicht leer sein',
  'entry-empty-date': 'ist leer, muss aber ein Datum sein, etwa 30.11.2026 oder 2026-11-30, oder null',
  'entry-empty-url': 'ist leer, muss aber eine vollständige Adresse mit http oder https sein, oder null',
  'entry-url': 'muss eine vollständige Adresse mit http oder https sein, oder null',
  'entry-date': 'muss ein Datum sein, etwa 30.11.2026 oder 2026-11-30',
  'entry-no-such-date': '{day:written} gibt es nicht',
  'entry-date-range':
    'muss zwischen den Jahren {first:year} und {last:year} liegen; lassen Sie das Feld leer, statt ein Datum für „nie“ einzutragen',
  'entry-boolean': 'muss ja oder nein sein (true oder false)',
  'entry-boolean-or-null': 'muss ja, nein oder leer sein (true, false oder null)',
  'entry-absences': 'muss eine Liste sein, leer ohne Abwesenheiten',
  'entry-too-many-absences': 'darf höchstens {limit} Abwesenheiten haben; lassen Sie alte weg',
  'entry-too-many-fields': 'darf höchstens {limit} Felder haben',
  'entry-ends-before-start': 'darf nicht vor dem ersten Tag der Abwesenheit liegen',
  'entry-unknown-field': 'ist kein bekanntes Feld: Verwenden Sie `{nearest}`',
  'entry-reserved': 'darf nicht `.` oder `..` sein, weil die Adresse des Abgleichs damit endet',
  'entry-cells': 'muss wie die Zeile der Überschriften {expected} Zellen haben, hat aber {actual}',
  'entry-misspelt-column': 'enthält die unbekannte Spalte {name}: Verwenden Sie {nearest}',
  'entry-missing-column': 'muss die Spalte {column} enthalten',
  'entry-absence-columns': 'muss zu jedem letzten Tag einer Abwesenheit einen ersten Tag enthalten',
  'entry-repeated-column': 'darf die Spalte {column} nur einmal enthalten',
  'entry-duplicate-hr-id': 'muss eindeutig sein, aber {place:place} hat denselben Wert',
  'entry-duplicate-email':
    'muss eindeutig sein, aber {place:place} hat denselben Wert (Groß- und Kleinschreibung zählen nicht)',

  'table-empty': 'Die Datei ist leer. Ihre erste Zeile muss die Namen der Spalten enthalten.',
  'table-pdf':
    'Das ist eine PDF-Datei. Exportieren Sie die Personalliste aus Ihrem HR-System als Excel- oder CSV-Datei und wählen Sie diese aus.',
  'table-not-text':
    'Die Datei ist weder eine Texttabelle noch eine Excel-Datei (.xlsx). Speichern Sie sie als eines davon und versuchen Sie es erneut.',
  'table-mixed-encoding':
    'Die Datei mischt mehrere Zeichenkodierungen. Speichern Sie sie als „CSV UTF-8“ und versuchen Sie es erneut.',
  'table-unclosed-quote': 'enthält ein Anführungszeichen, das nicht geschlossen wird',
  'table-invalid-workbook':
    'Die Excel-Datei konnte nicht gelesen werden. Öffnen Sie sie in Excel, speichern Sie sie als .xlsx ohne Passwort und versuchen Sie es erneut.',
  'table-workbook-too-large':
    'Die Excel-Datei ist zu groß. Speichern Sie sie als „CSV UTF-8“ und versuchen Sie es erneut.',
  'sync-provisioned':
    'Ein Identitätsanbieter pflegt die Personalliste dieser Integration per SCIM. Widerrufen Sie dessen Token und senden Sie die Personalliste dann erneut.',
  'sync-inactive': 'Die Integration ist deaktiviert. Aktivieren Sie sie und senden Sie die Personalliste dann erneut.',
  'sync-invalid': 'Die Zugangsdaten der Integration sind abgelaufen oder widerrufen. Verbinden Sie sie neu.',
  'sync-incomplete':
    'Die Integration ist noch nicht eingerichtet. Schließen Sie die Einrichtung ab und senden Sie die Personalliste dann erneut.',
  'integration-busy':
    'Eine Personalliste dieser Integration wird noch übernommen. Warten Sie, bis sie fertig ist, und versuchen Sie es erneut.',
  'employee-email-taken': 'Diese E-Mail-Adresse gehört schon zu Person {id}. Öffnen Sie diese Person.',
  'employee-hr-id-taken': 'Diese HR-ID gehört schon zu Person {id}. Geben Sie eine andere ein.',
  'employee-in-roster':
    'Diese Person steht in einer Personalliste. Entfernen Sie sie im HR-System oder aus der nächsten Liste.',
  'hand-roster-value': 'kommt aus der Personalliste. Ändern Sie es im HR-System oder in der nächsten Liste',
  'hand-contradicting-date': 'passt nicht zu einem anderen Datum dieser Person',
  'hand-known-absence': 'überschneidet sich mit einer Abwesenheit aus der Personalliste',
  'agreement-not-open': 'Es gibt keine Vereinbarung zu entscheiden. Laden Sie die Seite neu.',
  'no-ticket-to-replace': 'Dieses Ticket gibt es in diesem Monat nicht. Laden Sie die Seite neu.',
  'ticket-replaced-too-often':
    'Dieses Ticket wurde schon {limit}-mal ersetzt. Fragen Sie Ihre Personalabteilung, oder warten Sie auf das Ticket des nächsten Monats.',
  'sync-not-failed':
    'Dieser Abgleich ist nicht fehlgeschlagen. Nur ein fehlgeschlagener Abgleich lässt sich wiederholen.',
  'sync-roster-gone':
    'Die Personalliste dieses Abgleichs ist nicht mehr gespeichert: Eine neuere ist eingegangen, oder er ist vor mehr als einer Woche fehlgeschlagen. Senden Sie sie erneut.',
  'sync-id-reused':
    'Die Kennung „{syncId}“ gehört bereits zum Abgleich einer anderen Personalliste. Senden Sie diese mit einer neuen Kennung.',
  'roster-too-many-entries': '`{name}` hat mehr als {limit} Einträge. Bitten Sie den Betreiber um eine höhere Grenze.',
  'roster-too-large': 'Die Datei ist größer als {limit} Bytes. Bitten Sie den Betreiber um eine höhere Grenze.',
  'removals-not-pending': '{count} der gewählten Abmeldungen sind nicht mehr offen. Laden Sie den Abgleich neu.',
  'too-many-views': 'Sie haben bereits {limit} Ansichten gespeichert. Löschen Sie eine, und speichern Sie dann diese.',
  'removals-confirmation':
    'Auf Freigabe warten {removals} Abmeldungen dieses Abgleichs, bestätigt wurden aber {confirmed}.',
  'companies-confirmation':
    'Die Zeitreise betrifft {companies} Unternehmen, bestätigt wurden aber {confirmed}. Prüfen Sie die Zahl und bestätigen Sie erneut.',
  'connection-pushed':
    'An diese Integration werden Personallisten gesendet. Legen Sie für Ihr HR-System eine eigene an.',
  'connection-without-credentials': 'Geben Sie zuerst die Zugangsdaten Ihres HR-Systems ein.',
  'payroll-period-not-begun': 'Dieser Monat hat noch nicht begonnen. Exportieren Sie ihn ab seinem ersten Tag.',
  'payroll-already-voided': 'Dieser Export ist bereits storniert. Laden Sie die Seite neu.',
  'payroll-not-the-latest':
    'Nur der letzte Export kann storniert werden, weil spätere auf ihm aufbauen. Stornieren Sie zuerst die späteren.',
  'payroll-handed-over':
    'Dieser Export wurde an die Lohnabrechnung übergeben. Ist er dort nicht gebucht, nehmen Sie zuerst die Übergabe zurück und stornieren Sie ihn dann.',
  'payroll-export-voided':
    'Dieser Export ist storniert, seine Zeilen stehen im nächsten. Verwenden Sie den nächsten Export.',
  'payroll-nothing-to-export': 'Für diesen Monat wurde kein Ticket abgerechnet. Wählen Sie einen anderen Monat.',
  'payroll-year-not-over':
    'Dieses Jahr ist noch nicht zu Ende. Die Jahresaufstellungen können ab Januar des Folgejahres erstellt werden.',
  'payroll-year-empty': 'Für dieses Jahr wurde kein Ticket abgerechnet. Wählen Sie ein anderes Jahr.',
  'payroll-settings-missing':
    'Einstellungen der Lohnabrechnung fehlen. Die Vorschau nennt sie; die Administration trägt sie in den Einstellungen ein.',
  'payroll-employees-unusable':
    'Einige Beschäftigte haben keine brauchbare Personalnummer. Die Vorschau nennt sie und was zu tun ist.',
  'invitation-not-open':
    'Diese Einladung existiert nicht, ist abgelaufen, oder wurde bereits verwendet oder zurückgezogen. Bitten Sie die Administration des Unternehmens um eine neue.',
  'last-admin':
    '{name} hat als einzige Person die Rolle Administration. Geben Sie diese Rolle zuerst einer anderen Person.',
  'user-email-taken': 'Ein Benutzer Ihres Unternehmens hat bereits die Adresse {email}.',
  'too-many-invitations':
    'Ihr Unternehmen hat in 24 Stunden {limit} Einladungen verschickt. Senden Sie die übrigen morgen.',
  'account-shared':
    'Das Konto von {name} öffnet auch andere Unternehmen und lässt sich deshalb hier nicht zurücksetzen. Wenden Sie sich an den Betreiber.',
  'sso-unreachable':
    'Ihr Identitätsanbieter ist nicht erreichbar. Versuchen Sie es später, oder wenden Sie sich an die Administration Ihres Unternehmens.',
  'sso-not-started': 'Diese Anmeldung wurde nicht in diesem Browser begonnen oder dauerte zu lange. Beginnen Sie neu.',
  'sso-old-address':
    'Ihr Identitätsanbieter hat Sie zu einer Adresse geschickt, die nicht mehr gilt. Bitten Sie die Administration Ihres Unternehmens, dort die Redirect-URI von der Seite Single Sign-on einzutragen.',
  'sso-other-connection':
    'Diese Antwort gehört zur Anmeldung eines anderen Unternehmens. Beginnen Sie neu, und melden Sie es der Administration, wenn es wieder geschieht.',
  'sso-provider-refused': 'Ihr Identitätsanbieter hat Sie nicht angemeldet. Beginnen Sie neu.',
  'sso-no-address':
    'Ihr Identitätsanbieter hat keine E-Mail-Adresse bestätigt. Wenden Sie sich an die Administration Ihres Unternehmens.',
  'sso-address-unverified':
    'Zu Ihrer Adresse gibt es schon einen Benutzer, und Ihr Identitätsanbieter hat nicht bestätigt, dass sie Ihnen gehört (email_verified). Bitten Sie die Administration Ihres Unternehmens, sie dort bestätigen zu lassen.',
  'sso-other-domain':
    'Ihre Adresse gehört zu keiner bestätigten Domain Ihres Unternehmens. Wenden Sie sich an die Administration.',
  'sso-disabled': 'Ihr Konto ist gesperrt. Wenden Sie sich an die Administration Ihres Unternehmens.',
  'sso-other-identity':
    'Diese Adresse gehört einer anderen Person. Bitten Sie die Administration, diesen Benutzer zuerst zu entfernen.',
  'sso-no-role': 'Keine Ihrer Gruppen hat Zugriff. Wenden Sie sich an die Administration Ihres Unternehmens.',
  'sso-no-employee': 'Bei Ihrem Unternehmen ist niemand mit Ihrer Adresse erfasst. Fragen Sie Ihre Personalabteilung.',
  'sso-company-requires': 'Dieses Unternehmen verlangt Single Sign-on. Wählen Sie es auf der Anmeldeseite.',
  'access-link-invalid': 'Dieser Link ist abgelaufen oder wurde benutzt. Fordern Sie einen neuen an.',
  'access-link-other-browser':
    'Dieser Link öffnet sich nur in dem Browser, in dem Sie ihn angefordert haben. Öffnen Sie ihn dort, oder fordern Sie hier einen neuen an.',
  'access-letter-invalid':
    'Die Nummer oder der Code ist falsch, oder der Brief ist abgelaufen oder wurde benutzt. Prüfen Sie beides, oder bitten Sie Ihre Personalabteilung um einen neuen Brief.',
  'access-without-mail':
    'Dieser Dienst sendet keine E-Mails. Bitten Sie Ihre Personalabteilung um einen Link oder einen Brief.',
  'account-exists':
    'Diese Adresse hat ein Konto. Laden Sie die Seite neu, und nehmen Sie mit dem Passwort dieses Kontos an.',
  'address-link-wrong':
    'Dieser Link gehört nicht zu Ihrem Konto, ist abgelaufen oder wurde schon verwendet. Fordern Sie einen neuen an.',
  'account-email-taken': '{email} hat in diesem Unternehmen bereits ein Konto. Melden Sie sich damit an.',

  'correction-refunded': 'Das Ticket war nicht nutzbar und wurde erstattet.',
  'correction-charged-twice': 'Das Ticket wurde doppelt berechnet.',
  'correction-left': 'Die Person war vor Beginn des Tickets ausgeschieden.',
  'correction-absent': 'Die Person war den ganzen Monat abwesend.',
  'correction-wrong-plan': 'Das Ticket wurde nach dem falschen Kostenmodell berechnet.',
  'correction-erased': 'Gelöscht',

  ...connectors,
  ...issuers,
  ...policies,
  ...own,
};
