export const texts = {
  newTitle: { de: 'Integration hinzufügen', en: 'Add integration' },
  newDescription: { de: 'Woher kommen Ihre Personallisten?', en: 'Where do your rosters come from?' },
  setUpTitle: { de: '{name} einrichten', en: 'Set up {name}' },
  changeTitle: { de: '{name} ändern', en: 'Change {name}' },
  reconnectTitle: { de: '{name} neu verbinden', en: 'Reconnect {name}' },
  progress: { de: 'Schritt {step} von {total}', en: 'Step {step} of {total}' },
  stepCredentials: { de: 'Zugangsdaten', en: 'Credentials' },
  steps: { de: 'Schritte', en: 'Steps' },

  personioHint: {
    de: 'Liest jede Nacht Beschäftigte und Abwesenheiten aus Personio.',
    en: 'Reads employees and absences from Personio every night.',
  },
  hibobHint: {
    de: 'Liest jede Nacht Beschäftigte und Abwesenheiten aus HiBob.',
    en: 'Reads employees and time off from HiBob every night.',
  },
  bamboohrHint: {
    de: 'Liest jede Nacht Beschäftigte und Abwesenheiten aus BambooHR.',
    en: 'Reads employees and time off from BambooHR every night.',
  },
  sftpHint: {
    de: 'Liest jede Nacht die neueste Datei, die Ihr HR-System auf einen Server exportiert.',
    en: 'Reads the newest file that your HR system exports to a server every night.',
  },
  demo: { de: 'Personio (Demo)', en: 'Personio (demo)' },
  demoHint: {
    de: 'Ohne Konto ausprobieren: ein nachgebildetes Personio mit 48 erfundenen Personen. Nur auf Staging.',
    en: 'Try it without an account: a fake Personio with 48 invented people. Only on staging.',
  },
  api: { de: 'API', en: 'API' },
  upload: { de: 'Datei hochladen', en: 'Upload a file' },
  uploadHint: {
    de: 'Sie laden die Personalliste als Excel- oder CSV-Datei hoch, wann immer sie sich ändert.',
    en: 'You upload the roster as an Excel or CSV file whenever it changes.',
  },
  apiHint: {
    de: 'Ihr HR-System oder Skript sendet die Personalliste.',
    en: 'Your HR system or script sends the roster.',
  },
  readEveryNight: { de: 'HR-Systeme, aus denen wir lesen', en: 'HR systems that we read from' },
  youSend: { de: 'Personallisten, die Sie senden', en: 'Rosters that you send' },

  name: { de: 'Name der Integration', en: 'Name of the integration' },
  nameHint: { de: 'Er erscheint in Listen und im Verlauf.', en: 'Shown in lists and in the history.' },
  credentialsTitle: { de: 'Zugangsdaten für {provider}', en: 'Credentials for {provider}' },
  credentialsStored: {
    de: 'Die Zugangsdaten werden verschlüsselt gespeichert und nie wieder angezeigt.',
    en: 'Credentials are stored encrypted and never shown again.',
  },
  reconnectHint: {
    de: 'Beschäftigte, ihre IDs und alle Verknüpfungen bleiben. Der verpasste Abruf startet sofort.',
    en: 'Employees, their ids and all links stay. The pull that was missed runs at once.',
  },
  create: { de: 'In {provider} anlegen', en: 'Create them in {provider}' },
  guide: { de: 'Anleitung: {provider}', en: 'Guide: {provider}' },
  personioWhere: {
    de: 'Einstellungen › Integrationen › API-Zugangsdaten › Neue Zugangsdaten generieren.',
    en: 'Settings › Integrations › API credentials › Generate new credentials.',
  },
  personioTick: {
    de: 'Wählen Sie „Employees: read“ und „Absences: read“ und sonst nichts.',
    en: 'Tick “Employees: read” and “Absences: read”, and no others.',
  },
  personioAttributes: {
    de: 'Wählen Sie unter „Lesbare Mitarbeiterattribute“ Vorname, Nachname, E-Mail, Einstellungsdatum, Kündigungsdatum und Status.',
    en: 'Under “Readable employee attributes”, tick first name, last name, email, hire date, termination date and status.',
  },
  hibobWhere: {
    de: 'System settings › Integrations › Service users › New service user.',
    en: 'System settings › Integrations › Service users › New service user.',
  },
  hibobTick: {
    de: 'Nehmen Sie den Service User in eine eigene Berechtigungsgruppe auf. Erlauben Sie „View“ für Basic info, Work, Lifecycle und Time off.',
    en: 'Add the service user to a permission group of its own. Grant “View” of Basic info, Work, Lifecycle and Time off.',
  },
  hibobAttributes: {
    de: 'Wählen Sie unter „Access data for“ alle Personen.',
    en: 'Choose all people under “Access data for”.',
  },
  bamboohrWhere: {
    de: 'Ihr Name › API keys › Add new key, als Benutzer mit eigener Zugriffsstufe.',
    en: 'Your name › API keys › Add new key, as a user with an access level of its own.',
  },
  bamboohrTick: {
    de: 'Erlauben Sie das Lesen von Personalnummer, Namen, geschäftlicher E-Mail, Eintritt, Austritt, Beschäftigungsstatus und Abwesenheiten.',
    en: 'Allow viewing employee number, names, work email, hire date, termination date, employment status and time off.',
  },
  bamboohrAttributes: {
    de: 'Erlauben Sie sonst nichts, insbesondere keine Gehälter.',
    en: 'Allow nothing else, in particular no salaries.',
  },
  sftpWhere: {
    de: 'Legen Sie auf dem Server einen Benutzer an, der einen Ordner lesen darf und sonst nichts.',
    en: 'Create a user on the server that may read one folder and nothing else.',
  },
  sftpTick: {
    de: 'Lassen Sie Ihr HR-System täglich alle Beschäftigten in diesen Ordner exportieren.',
    en: 'Let your HR system export all employees into that folder every day.',
  },
  sftpAttributes: {
    de: 'Fragen Sie den Betreiber des Servers nach dem Host-Schlüssel.',
    en: 'Get the host key from the operator of the server.',
  },
  serviceUserId: { de: 'ID des Service Users', en: 'Service user ID' },
  token: { de: 'Token', en: 'Token' },
  host: { de: 'Server', en: 'Server' },
  port: { de: 'Port (leer: 22)', en: 'Port (22 if empty)' },
  password: { de: 'Passwort (oder ein privater Schlüssel)', en: 'Password (or a private key)' },
  privateKey: { de: 'Privater Schlüssel (oder ein Passwort)', en: 'Private key (or a password)' },
  hostKey: { de: 'Host-Schlüssel des Servers', en: 'Host key of the server' },
  path: { de: 'Pfad der Datei', en: 'Path of the file' },
  domainHint: {
    de: 'Der erste Teil der Adresse, unter der Sie sich anmelden: acme bei https://acme.bamboohr.com.',
    en: 'The first part of the address where you sign in: acme for https://acme.bamboohr.com.',
  },
  hostKeyHint: {
    de: 'Eine Zeile von ssh-keyscan oder der Fingerabdruck (SHA256:…).',
    en: 'A line of ssh-keyscan, or the fingerprint (SHA256:…).',
  },
  pathHint: {
    de: 'Eine Datei, ein Ordner oder ein Muster wie /export/roster-*.csv. Die neueste Datei zählt.',
    en: 'A file, a folder, or a pattern such as /export/roster-*.csv. The newest file counts.',
  },
  connect: { de: 'Testen und verbinden', en: 'Test and connect' },
  useDemo: { de: 'Demo verbinden', en: 'Connect the demo' },
  back: { de: 'Zurück', en: 'Back' },
  notStored: { de: 'Die Zugangsdaten wurden nicht gespeichert.', en: 'The credentials were not stored.' },

  checking: { de: '{provider} wird gefragt …', en: 'Asking {provider} …' },
  checkOk: {
    de: 'Alles ist lesbar. {count} Attribute sind freigegeben.',
    en: 'Everything is readable. {count} attributes are released.',
  },
  checkProblems_one: { de: 'Eine Berechtigung oder ein Attribut fehlt', en: 'One permission or attribute is missing' },
  checkProblems_other: {
    de: '{count} Berechtigungen oder Attribute fehlen',
    en: '{count} permissions or attributes are missing',
  },
  checkFix: {
    de: 'Geben Sie sie in {provider} frei und testen Sie erneut. Fehlende Attribute können Sie auch in der Zuordnung ersetzen.',
    en: 'Grant them in {provider}, then test again. Missing attributes can also be replaced in the mapping.',
  },
  checkAgain: { de: 'Erneut testen', en: 'Test again' },
  otherCredentials: { de: 'Andere Zugangsdaten eingeben', en: 'Enter other credentials' },
  next: { de: 'Weiter', en: 'Next' },
  'permission-missing': { de: 'Die Berechtigung „{what}“ fehlt.', en: 'The permission “{what}” is missing.' },
  'attribute-withheld': {
    de: '{provider} gibt das Attribut „{what}“ nicht frei.',
    en: '{provider} does not release the attribute “{what}”.',
  },
  unreachable: {
    de: '{provider} ist nicht erreichbar. Versuchen Sie es später erneut.',
    en: '{provider} could not be reached. Try again later.',
  },
  'rate-limited': {
    de: '{provider} begrenzt die Zahl der Anfragen. Versuchen Sie es in einigen Minuten erneut.',
    en: '{provider} limits how often it is asked. Try again in a few minutes.',
  },

  mappingHint: {
    de: 'Welches Attribut von {provider} gehört zu welchem Feld. Die Vorgaben passen für die meisten Unternehmen.',
    en: 'Which attribute of {provider} belongs to which field. The defaults fit most companies.',
  },
  notRead: { de: 'Wird nicht gelesen', en: 'Not read' },
  includeTitle: { de: 'Wer gehört dazu', en: 'Who is included' },
  includeHint: {
    de: 'Beschäftigte, die alle Bedingungen erfüllen. Alle anderen stehen nicht auf der Personalliste.',
    en: 'Employees who meet all conditions. Everybody else is not in the roster.',
  },
  attribute: { de: 'Attribut', en: 'Attribute' },
  condition: { de: 'Bedingung', en: 'Condition' },
  'one-of': { de: 'ist einer von', en: 'is one of' },
  'none-of': { de: 'ist keiner von', en: 'is none of' },
  present: { de: 'hat einen Wert', en: 'has a value' },
  empty: { de: 'ist leer', en: 'is empty' },
  values: { de: 'Werte', en: 'Values' },
  valuesHint: { de: 'Drücken Sie nach jedem Wert die Eingabetaste.', en: 'Press Enter after each value.' },
  addCondition: { de: 'Bedingung hinzufügen', en: 'Add condition' },
  removeCondition: { de: 'Bedingung {number} entfernen', en: 'Remove condition {number}' },
  autoSyncTitle: { de: 'Wer bekommt ein Ticket', en: 'Who gets a ticket' },
  autoSyncOff: {
    de: 'Kein Attribut entscheidet: Abos bleiben, wie sie sind',
    en: 'No attribute decides: subscriptions stay as they are',
  },
  autoSyncOn: { de: 'Ein Attribut entscheidet', en: 'An attribute decides' },
  yes: { de: 'Werte für Ja', en: 'Values that mean yes' },
  no: { de: 'Werte für Nein', en: 'Values that mean no' },
  absencesHint: {
    de: 'Genehmigte Abwesenheiten über ganze Monate pausieren das Abo.',
    en: 'Approved absences of whole months pause the subscription.',
  },
  absencesSome: { de: 'Nur diese Arten', en: 'Only these types' },
  absencesNone: { de: 'Abwesenheiten nicht lesen', en: 'Do not read absences' },
  suggested: { de: 'vorgeschlagen', en: 'suggested' },
  chooseSuggested: { de: 'Vorschläge wählen', en: 'Choose suggested' },
  absenceNameless: { de: 'Abwesenheit ({id})', en: 'Absence ({id})' },
  absenceTypes: { de: 'Arten von Abwesenheiten', en: 'Types of absences' },
  saveMapping: { de: 'Speichern und Vorschau zeigen', en: 'Save and preview' },

  previewHint: {
    de: 'Der erste Abruf als Probelauf. Es ändert sich nichts.',
    en: 'The first pull as a dry run. Nothing changes.',
  },
  failedTitle: { de: 'Die Personalliste konnte nicht gelesen werden', en: 'The roster could not be read' },
  entries_one: { de: 'Eine Person steht auf der Personalliste.', en: 'One employee is in the roster.' },
  entries_other: {
    de: '{count} Beschäftigte stehen auf der Personalliste.',
    en: '{count} employees are in the roster.',
  },
  nothing: { de: 'Es würde sich nichts ändern.', en: 'Nothing would change.' },
  held_one: {
    de: 'Eine Person fehlt auf der Personalliste. Die Abmeldung müsste freigegeben werden.',
    en: 'One employee is missing from the roster. The removal would require approval.',
  },
  held_other: {
    de: '{count} Beschäftigte fehlen auf der Personalliste. Die Abmeldungen müssten freigegeben werden.',
    en: '{count} employees are missing from the roster. The removals would require approval.',
  },
  records: { de: 'Erste Änderungen', en: 'First changes' },
  firstRecords: { de: 'Die ersten {shown} von {count} Änderungen.', en: 'The first {shown} of {count} changes.' },

  nightlyHint: { de: 'Nach der Uhr Ihres Unternehmens ({zone}).', en: 'By the clock of your company ({zone}).' },
  syncNow: { de: 'Den ersten Abgleich jetzt starten', en: 'Run the first sync now' },
  syncNowHint: {
    de: 'Sonst startet der erste Abgleich zur nächtlichen Uhrzeit.',
    en: 'Otherwise the first sync runs at the nightly time.',
  },
  finish: { de: 'Einrichtung abschließen', en: 'Finish setup' },
  save: { de: 'Speichern', en: 'Save' },
  finished: { de: '{name} ist eingerichtet.', en: '{name} is set up.' },
  saved: { de: 'Gespeichert.', en: 'Saved.' },
  reconnected: { de: '{name} ist wieder verbunden.', en: '{name} is connected again.' },
} as const;
