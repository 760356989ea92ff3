/** The German sentences of `connectors.en.ts`: why an HR system could not be read. */
export const connectors = {
  'connector-unreachable': '{system:system} war nicht erreichbar ({error}). Der Abruf wird wiederholt.',
  'connector-next-request':
    '{system:system} erlaubt die nächste Anfrage in {minutes} Minuten. Dann wird der Abruf wiederholt.',
  'connector-limited': '{system:system} begrenzt die Zahl der Anfragen ({status}). Der Abruf wird wiederholt.',
  'connector-error-status': '{system:system} antwortete mit dem Fehler {status}. Der Abruf wird wiederholt.',
  'connector-redirect':
    '{system:system} leitet an eine andere Adresse weiter ({status}). Wenden Sie sich an den Support, wenn das so bleibt.',
  'connector-not-json':
    '{system:system} antwortete mit {type} statt mit JSON. Wenden Sie sich an den Support, wenn das so bleibt.',
  'connector-no-type':
    '{system:system} antwortete ohne Inhaltstyp statt mit JSON. Wenden Sie sich an den Support, wenn das so bleibt.',
  'connector-damaged-json':
    '{system:system} antwortete mit unvollständigem oder beschädigtem JSON. Wenden Sie sich an den Support, wenn das so bleibt.',
  'connector-oversized-json':
    '{system:system} antwortete mit mehr Daten auf einmal, als der Dienst liest. Wenden Sie sich an den Support.',
  'connector-status-employees':
    '{system:system} antwortete mit {status}, als die Beschäftigten gelesen wurden. Wenden Sie sich an den Support, wenn das so bleibt.',
  'connector-status-absences':
    '{system:system} antwortete mit {status}, als die Abwesenheiten gelesen wurden. Wenden Sie sich an den Support, wenn das so bleibt.',
  'connector-status-sign-in':
    '{system:system} beantwortete die Anmeldung mit {status}. Wenden Sie sich an den Support, wenn das so bleibt.',
  'connector-no-token':
    '{system:system} hat kein Token ausgestellt. Wenden Sie sich an den Support, wenn das so bleibt.',
  'connector-timeout': 'Das HR-System hat nicht rechtzeitig geantwortet. Versuchen Sie es später erneut.',
  'connector-too-large':
    '{system:system} hat mehr Daten gesendet, als auf einmal gelesen werden können. Beschränken Sie den Export auf das, was die Zuordnung braucht.',
  'connector-too-long': 'Der Abruf dauerte länger als {minutes} Minuten. Er wird wiederholt.',
  'connector-unknown': 'Diese Version kann sich nicht mit {provider} verbinden. Aktualisieren Sie den Dienst.',
  'connector-internal':
    'Es wurde nichts geändert: Fehler {error} im Dienst. Die Einzelheiten stehen in seinem Protokoll.',
  'connector-withheld':
    '{system:system} gibt {names} nicht frei. Geben Sie den Zugangsdaten Zugriff, oder wählen Sie in der Zuordnung andere Attribute.',
  'connector-nobody-included':
    'Niemand aus {system:system} erfüllt die Bedingungen der Zuordnung. Es wurde nichts geändert. Berichtigen Sie die Bedingungen.',
  'connector-unusable':
    'Datensätze aus {system:system} sind nicht verwendbar ({problems:list}). Berichtigen Sie sie dort, oder schließen Sie sie in der Zuordnung aus.',
  'connector-unusable-more':
    'Datensätze aus {system:system} sind nicht verwendbar ({problems:list} und {more} weitere). Berichtigen Sie sie dort, oder schließen Sie sie in der Zuordnung aus.',
  'connector-incomplete': '{system:system} {what:text}. Es wurde nichts geändert. Der Abruf wird wiederholt.',
  'sync-internal-error':
    'Es wurde nichts übernommen: Fehler {error} im Dienst. Die Einzelheiten stehen unter der Kennung des Abgleichs in seinem Protokoll.',
  'pull-inactive': 'Die Integration ist deaktiviert. Aktivieren Sie sie und starten Sie den Abruf dann erneut.',
  'pull-invalid': 'Die Zugangsdaten wurden abgelehnt. Verbinden Sie die Integration neu.',
  'pull-incomplete': 'Die Einrichtung ist nicht abgeschlossen. Schließen Sie sie zuerst ab.',
  'pull-set-aside':
    'Die Abrufe dieser Integration wurden angehalten, weil das Lesen zweimal so fehlschlug, dass es andere beeinträchtigt. Wir sind informiert und geben sie wieder frei.',
  'pull-not-connected': 'Die Integration ist nicht verbunden. Verbinden Sie sie zuerst.',

  'unusable-employee': 'HR-ID {hrId}: {field:field} {detail:text}',
  'unusable-unknown': 'jemand ohne HR-ID: {field:field} {detail:text}',
  'unusable-erased': 'jemand, dessen Daten inzwischen gelöscht sind: {field:field} {detail:text}',
  'incomplete-no-employees': 'antwortete ohne Liste der Beschäftigten',
  'incomplete-no-absences': 'antwortete ohne Liste der Abwesenheiten',
  'incomplete-no-time-off': 'antwortete ohne Liste der freien Tage',
  'incomplete-no-fields': 'antwortete ohne Liste der Felder',
  'incomplete-no-employee': 'antwortete mit etwas, das kein Datensatz einer Person ist',
  'incomplete-no-id': 'ließ die ID einer Person weg',
  'incomplete-twice': 'führte eine Person zweimal auf',
  'incomplete-overlap': 'führte eine Person zweimal auf: Die Seiten überschneiden sich',
  'incomplete-count': 'kündigte {announced} Beschäftigte an, lieferte aber {listed}',
  'incomplete-changed': 'änderte sich während des Lesens: Die Zahl der Beschäftigten ist nicht auf jeder Seite gleich',
  'incomplete-repeated': 'wiederholte eine Seite: Der Link zur nächsten Seite führt zurück',
  'incomplete-repeated-absences': 'wiederholte eine Seite der Abwesenheiten: Der Link zur nächsten Seite führt zurück',
  'incomplete-link': 'sendete einen Link zur nächsten Seite, der keine Adresse ist',
  'incomplete-link-elsewhere': 'sendete einen Link zur nächsten Seite, der anderswohin führt',
  'incomplete-empty-page': 'sendete vor der letzten Seite eine leere Seite',
  'incomplete-absence-person': 'ließ bei einer Abwesenheit die Person oder den Beginn weg',
  'incomplete-absence-start': 'ließ bei einer Abwesenheit die HR-ID oder den Beginn weg',
  'incomplete-absence-end': 'ließ das Ende einer Abwesenheit weg',
  'incomplete-time-off': 'ließ bei freien Tagen die Person, den Beginn oder das Ende weg',
  'incomplete-more': 'hat nicht gesagt, ob weitere Seiten folgen',
  'incomplete-total': 'hat die Anzahl der Datensätze weggelassen, die die Zuordnung erwartet',
  'incomplete-no-list': 'hat ohne die Liste geantwortet, die die Zuordnung erwartet',
  'incomplete-nobody': 'lieferte niemanden',
  'incomplete-nobody-left': 'lieferte niemanden, obwohl es zuletzt {employees} Beschäftigte waren',

  'requests-missing':
    'Die Zuordnung nennt keine Abfragen. Wählen Sie eine Vorlage, und verbinden Sie die Integration neu.',
  'rest-refused':
    'Das HR-System hat die Zugangsdaten abgelehnt. Korrigieren Sie sie, und verbinden Sie die Integration neu.',
  'rest-not-found':
    '{path} wurde mit {status} beantwortet. Korrigieren Sie die Basis-URL oder den Pfad in der Zuordnung.',
  'rest-no-list':
    'Die Antwort auf {path} hat bei `{expression}` keine Liste. Vergleichen Sie die erste Seite mit der Zuordnung.',
  'rest-nobody': 'Die Liste bei `{expression}` ist leer. Geben Sie den Zugangsdaten das Recht, Beschäftigte zu lesen.',
  'rest-attribute':
    '`{name}` fehlt im ersten Datensatz. Korrigieren Sie den Ausdruck, oder schreiben Sie `{name} ?? null`, falls das HR-System Leeres weglässt.',
  'expression-failed':
    'Der Ausdruck `{expression}` lässt sich nicht auswerten ({error}). Korrigieren Sie ihn in der Zuordnung.',
  'personio-refused':
    'Personio hat Client-ID und Client-Secret abgelehnt. Legen Sie neue API-Zugangsdaten an (in Personio: Einstellungen › Integrationen › API-Zugangsdaten) und verbinden Sie die Integration neu.',
  'personio-employees':
    'Die Zugangsdaten dürfen keine Beschäftigten lesen. In Personio: Einstellungen › Integrationen › API-Zugangsdaten: Wählen Sie „Employees: read“.',
  'personio-absences':
    'Die Zugangsdaten dürfen keine Abwesenheiten lesen. In Personio: Einstellungen › Integrationen › API-Zugangsdaten: Wählen Sie „Absences: read“.',
  'personio-nobody':
    'Personio liefert keine Beschäftigten. Legen Sie dort welche an, oder geben Sie sie für diese Zugangsdaten frei.',
  'personio-attribute':
    'Personio gibt das Attribut `{name}` nicht frei. In Personio: Einstellungen › Integrationen › API-Zugangsdaten: Wählen Sie es unter „Lesbare Mitarbeiterattribute“, oder wählen Sie in der Zuordnung ein anderes.',
  'hibob-refused':
    'HiBob hat ID und Token des Service Users abgelehnt. Legen Sie einen neuen Service User an (in HiBob: System settings › Integrations › Service users) und verbinden Sie die Integration neu.',
  'hibob-employees':
    'Der Service User darf keine Beschäftigten lesen. In HiBob: System settings › Account › Permissions, in der Gruppe des Service Users: Erlauben Sie „View“ für People’s data.',
  'hibob-absences':
    'Der Service User darf keine Abwesenheiten lesen. In HiBob: System settings › Account › Permissions, in der Gruppe des Service Users: Erlauben Sie „View“ für Time off, oder schalten Sie Abwesenheiten in der Zuordnung ab.',
  'hibob-nobody':
    'HiBob liefert keine Beschäftigten. In HiBob: System settings › Account › Permissions, in der Gruppe des Service Users: Wählen Sie unter „Access data for“ alle Personen.',
  'hibob-attribute':
    'HiBob gibt das Feld `{name}` bei niemandem frei. In HiBob: System settings › Account › Permissions, in der Gruppe des Service Users: Erlauben Sie „View“ für seine Kategorie, oder wählen Sie in der Zuordnung ein anderes Feld.',
  'bamboohr-refused':
    'BambooHR hat den API-Schlüssel abgelehnt. Legen Sie einen neuen an (in BambooHR: Ihr Name › API keys) und verbinden Sie die Integration neu.',
  'bamboohr-employees':
    'Der API-Schlüssel darf keine Beschäftigten lesen. In BambooHR: Settings › Access levels, in der Zugriffsstufe des Benutzers, dem der API-Schlüssel gehört: Erlauben Sie das Lesen von Beschäftigten.',
  'bamboohr-absences':
    'Der API-Schlüssel darf keine freien Tage lesen. In BambooHR: Settings › Access levels, in der Zugriffsstufe des Benutzers, dem der API-Schlüssel gehört: Erlauben Sie das Lesen freier Tage (Time off), oder schalten Sie Abwesenheiten in der Zuordnung ab.',
  'bamboohr-nobody':
    'BambooHR liefert keine Beschäftigten. In BambooHR: Settings › Access levels, in der Zugriffsstufe des Benutzers, dem der API-Schlüssel gehört: Erlauben Sie das Lesen aller Beschäftigten.',
  'bamboohr-attribute':
    'BambooHR gibt das Feld `{name}` nicht frei. In BambooHR: Settings › Access levels, in der Zugriffsstufe des Benutzers, dem der API-Schlüssel gehört: Erlauben Sie das Lesen, oder wählen Sie in der Zuordnung ein anderes Feld.',
  'bamboohr-domain':
    'BambooHR kennt diese Domain nicht. Sie ist der erste Teil der Adresse, unter der Sie sich anmelden.',

  'sftp-private': '{host} ist nicht öffentlich erreichbar. Verwenden Sie einen Server, den das Internet erreicht.',
  'sftp-unreachable': '{host} war nicht erreichbar ({error}). Der Versuch wird wiederholt.',
  'sftp-no-answer': '{host} war nicht erreichbar (keine Antwort). Der Versuch wird wiederholt.',
  'sftp-host-key':
    'Der Host-Schlüssel von {host} ist nicht der hinterlegte. Fragen Sie den Betreiber des Servers, und hinterlegen Sie den neuen Schlüssel, wenn er ihn geändert hat.',
  'sftp-refused': '{host} hat den Benutzer, das Passwort oder den Schlüssel abgelehnt. Berichtigen Sie die Angaben.',
  'sftp-ended-sign-in': '{host} hat die Verbindung während der Anmeldung beendet. Der Versuch wird wiederholt.',
  'sftp-forbidden': 'Der Benutzer darf {path} nicht lesen. Bitten Sie den Betreiber des Servers um das Leserecht.',
  'sftp-write-forbidden':
    'Der Benutzer darf in {path} nicht schreiben. Bitten Sie den Betreiber des Servers um das Recht, dort Dateien anzulegen und umzubenennen.',
  'sftp-ended':
    'Der SFTP-Server hat die Verbindung beendet, während {path} übertragen wurde. Der Versuch wird wiederholt.',
  'sftp-too-large': '{host} hat mehr Daten gesendet, als gelesen werden. Fragen Sie den Betreiber des Servers.',
  'sftp-nobody': '{name} enthält niemanden. Exportieren Sie die Datei erneut.',
  'sftp-attribute':
    '{file} hat keine Spalte `{name}`. Nehmen Sie sie in den Export auf, oder wählen Sie in der Zuordnung eine andere.',
  'sftp-incomplete': '{what:text}. Es wurde nichts geändert. Der Versuch wird wiederholt.',
  'file-slow': 'Der SFTP-Server brauchte zu lange für {path}',
  'file-no-path': '{path} gibt es auf dem SFTP-Server nicht: Prüfen Sie den Pfad',
  'file-none': 'Die Datei {path} gibt es auf dem SFTP-Server nicht',
  'file-many':
    '{path} enthält mehr als {limit} Dateien: Löschen Sie alte, oder verwenden Sie einen eigenen Ordner für den Export',
  'file-too-large': '{name} ist größer als 128 MB',
  'file-partial': 'Der SFTP-Server hat nur {stored} von {bytes} Bytes von {path} gespeichert',
  'file-exists':
    '{path} gibt es auf dem SFTP-Server schon, und die Datei wird nicht überschrieben: Klären Sie mit dem Betreiber, woher sie stammt, und verschieben Sie sie',
  'file-growing': '{name} wird noch geschrieben',
  'file-not-table': '{name} ist keine Texttabelle in UTF-8 oder Windows-1252',
  'file-unclosed-quote':
    '{name} enthält ein Anführungszeichen, das nicht geschlossen wird: Vielleicht ist die Datei abgeschnitten',
  'file-without-columns': '{name} ist leer: Die erste Zeile muss die Spalten benennen',
  'file-repeated-column': '{name} hat die Spalte „{column}“ zweimal',
  'file-cells':
    'Datensatz {record} von {name} hat {found} statt {columns} Zellen: Vielleicht ist die Datei abgeschnitten',
  'file-old': '{name} ist {days} Tage alt. Exportieren Sie jeden Tag eine neue Datei',
  'file-empty': '{name} ist leer. Exportieren Sie die Datei erneut',
  'file-small':
    '{name} hat {bytes} Bytes, weniger als die Hälfte der letzten Datei mit {lastBytes}. Exportieren Sie die Datei vollständig. Wenn wirklich so viele ausgeschieden sind, verbinden Sie die Integration neu',

  'credentials-object': 'Die Zugangsdaten müssen ein Objekt sein.',
  'credentials-unknown': '„{name}“ ist unbekannt: {system:system} hat {names}.',
  'credentials-missing': '„{name}“ fehlt.',
  'credentials-port': '„{name}“ muss eine Zahl von 1 bis 65535 sein.',
  'credentials-text': '„{name}“ muss Text mit höchstens {limit} Zeichen sein.',
  'credentials-either': 'Geben Sie entweder das Passwort oder den privaten Schlüssel an.',
  'credentials-host-key':
    'Der Host-Schlüssel muss der Schlüssel des Servers sein, wie ihn „ssh-keyscan HOST“ ausgibt, oder sein Fingerabdruck (SHA256:…).',
  'credentials-path-pattern':
    'path enthält „{text}“. Verwenden Sie nur * (beliebige Zeichen) und ? (ein Zeichen), zum Beispiel /export/roster-*.csv.',
  'credentials-path-folder':
    'path enthält * oder ? im Namen eines Ordners. Nennen Sie den Ordner vollständig und verwenden Sie die Zeichen nur nach dem letzten Schrägstrich.',
  'credentials-path-long': 'Der letzte Teil von path ist länger als {limit} Zeichen. Kürzen Sie ihn.',
  'credentials-authentication': 'authentication muss eines von {names} sein. Tragen Sie ein, was dazugehört: {fields}.',
  'credentials-url': '„{name}“ muss eine Adresse sein, die mit https:// beginnt.',
  'credentials-domain':
    'domain muss der erste Teil der Adresse sein, unter der Sie sich anmelden: bei https://acme.bamboohr.com also acme.',
  'mapping-object': 'muss ein Objekt sein',
  'mapping-unknown': 'ist unbekannt: Verwenden Sie eines von {names}',
  'mapping-misspelt': 'ist unbekannt: Verwenden Sie {nearest}',
  'mapping-attribute': 'muss der Name eines Attributs des HR-Systems sein',
  'mapping-attribute-or-null': 'muss der Name eines Attributs des HR-Systems sein, oder null',
  'mapping-conditions': 'muss eine Liste mit höchstens {limit} Bedingungen sein',
  'mapping-no-values': 'muss bei „hat einen Wert“ und „ist leer“ fehlen',
  'mapping-is': 'muss `one-of`, `none-of`, `present` oder `empty` sein',
  'mapping-texts': 'muss eine Liste mit höchstens {limit} Texten sein',
  'mapping-some-texts': 'muss eine Liste mit mindestens einem und höchstens {limit} Texten sein',
  'mapping-both': 'darf „{text}“ nicht enthalten, denn das steht auch unter Ja',
  'mapping-absence-types': 'muss „all“ oder eine Liste von IDs der Abwesenheitsarten sein',
  'hints-unsigned':
    '{system:system} signiert seine Webhooks nicht oder nicht so, dass wir es prüfen können. Halten Sie stattdessen die Adresse geheim.',
  'requests-invalid': 'hat nicht die Form, die die Anleitung „Eine beliebige REST-API verbinden“ beschreibt',
  'requests-end':
    'zählt Seiten, ohne zu sagen, wo sie enden: Ergänzen Sie `total`, wo die Antwort die Anzahl der Datensätze nennt, oder `more`, das wahr ist, solange weitere Seiten folgen',
  'expression-syntax': 'enthält „{expression}“, das kein JSONata-Ausdruck ist ({error}): Korrigieren Sie ihn',
  'provider-fixed': 'muss {provider} sein: Legen Sie für ein anderes HR-System eine weitere Integration an',
} as const;
