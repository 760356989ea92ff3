/** Why an HR system could not be read. `{system:system}` is its name; `en.ts` explains the other placeholders. */
const failures = {
  'connector-unreachable': '{system:system} could not be reached ({error}). It will be tried again.',
  'connector-next-request':
    '{system:system} allows the next request in {minutes} minutes. It will be tried again then.',
  'connector-limited': '{system:system} limits how often it is asked ({status}). It will be tried again.',
  'connector-error-status': '{system:system} answered with the error {status}. It will be tried again.',
  'connector-redirect': '{system:system} redirects to another address ({status}). If this lasts, contact support.',
  'connector-not-json': '{system:system} answered with {type} instead of JSON. If this lasts, contact support.',
  'connector-no-type': '{system:system} answered with no content type instead of JSON. If this lasts, contact support.',
  'connector-damaged-json':
    '{system:system} answered with JSON that ends early or is damaged. If this lasts, contact support.',
  'connector-oversized-json':
    '{system:system} answered with more data at once than the service reads. Contact support.',
  'connector-status-employees':
    '{system:system} answered with {status} when employees were read. If this lasts, contact support.',
  'connector-status-absences':
    '{system:system} answered with {status} when absences were read. If this lasts, contact support.',
  'connector-status-sign-in': '{system:system} answered the sign-in with {status}. If this lasts, contact support.',
  'connector-no-token': '{system:system} issued no token. If this lasts, contact support.',
  'connector-timeout': 'The HR system did not answer in time. Try again later.',
  'connector-too-large':
    '{system:system} sent more data than can be read at once. Reduce the export to what the mapping needs.',
  'connector-too-long': 'The pull took longer than {minutes} minutes. It will be tried again.',
  'connector-unknown': 'This version cannot connect to {provider}. Upgrade the service.',
  'connector-internal': 'Nothing was changed: error {error} inside the service. Its log has the details.',
  'connector-withheld':
    '{system:system} does not release {names}. Grant the credentials access, or choose other attributes in the mapping.',
  'connector-nobody-included':
    'No employee of {system:system} fulfils the conditions of the mapping. Nothing was changed. Correct the conditions.',
  'connector-unusable':
    'Records of {system:system} cannot be used ({problems:list}). Correct them there, or exclude them in the mapping.',
  'connector-unusable-more':
    'Records of {system:system} cannot be used ({problems:list}, and {more} more). Correct them there, or exclude them in the mapping.',
  'connector-incomplete': '{system:system} {what:text}. Nothing was changed. It will be tried again.',
  'sync-internal-error':
    'Nothing was applied: error {error} inside the service. Its log has the details under this syncId.',
  'pull-inactive': 'The integration is disabled. Enable it, then pull again.',
  'pull-invalid': 'The credentials were refused. Connect the integration again.',
  'pull-incomplete': 'The set-up is not finished. Finish it first.',
  'pull-set-aside':
    'Pulls of this integration were stopped, because reading it failed twice in a way that affects others. We have been informed and will release it.',
  'pull-not-connected': 'The integration is not connected. Connect it first.',
} as const;

/** Problems of single employees, and ends of the sentence `connector-incomplete`. */
const parts = {
  'unusable-employee': 'employee {hrId}: {field:field} {detail:text}',
  'unusable-unknown': 'an employee without an id: {field:field} {detail:text}',
  'unusable-erased': 'an employee who has been erased since: {field:field} {detail:text}',
  'incomplete-no-employees': 'answered without a list of employees',
  'incomplete-no-absences': 'answered without a list of absences',
  'incomplete-no-time-off': 'answered without a list of time off',
  'incomplete-no-fields': 'answered without a list of fields',
  'incomplete-no-employee': 'answered with something that is no employee',
  'incomplete-no-id': 'left out the id of an employee',
  'incomplete-twice': 'listed an employee twice',
  'incomplete-overlap': 'listed an employee twice: the pages overlap',
  'incomplete-count': 'announced {announced} employees, but listed {listed}',
  'incomplete-changed': 'changed while it was read: the number of employees differs between pages',
  'incomplete-repeated': 'repeated a page: its link to the next page leads back',
  'incomplete-repeated-absences': 'repeated a page of absences: its link to the next page leads back',
  'incomplete-link': 'sent a link to the next page that is no address',
  'incomplete-link-elsewhere': 'sent a link to the next page that leads elsewhere',
  'incomplete-empty-page': 'sent an empty page before the last one',
  'incomplete-absence-person': 'left out the person or the start of an absence',
  'incomplete-absence-start': 'left out the employee or the start of an absence',
  'incomplete-absence-end': 'left out the end of an absence',
  'incomplete-time-off': 'left out the employee, the start or the end of time off',
  'incomplete-more': 'did not say whether there are further pages',
  'incomplete-total': 'left out the number of records that the mapping expects',
  'incomplete-no-list': 'answered without a list where the mapping expects it',
  'incomplete-nobody': 'listed nobody',
  'incomplete-nobody-left': 'listed nobody, although there were {employees} employees',
} as const;

/** What is missing in a connection, in the terms of the HR system, and where to grant it. */
const gaps = {
  'requests-missing': 'The mapping names no requests. Choose a template, and connect again.',
  'rest-refused': 'The HR system refused the credentials. Correct them and connect again.',
  'rest-not-found': '{path} was answered with {status}. Correct the base URL or the path in the mapping.',
  'rest-no-list': 'The response to {path} has no list at `{expression}`. Compare the first page with the mapping.',
  'rest-nobody': 'The list at `{expression}` is empty. Let the credentials read employees.',
  'rest-attribute':
    '`{name}` is missing in the first record. Correct the expression, or write `{name} ?? null` if the HR system leaves out what is empty.',
  'expression-failed': 'The expression `{expression}` cannot be evaluated ({error}). Correct it in the mapping.',
  'personio-refused':
    'Personio refused the client id and secret. Create new API credentials (In Personio: Settings › Integrations › API credentials) and connect again.',
  'personio-employees':
    'The credentials may not read employees. In Personio: Settings › Integrations › API credentials: tick "Employees: read".',
  'personio-absences':
    'The credentials may not read absences. In Personio: Settings › Integrations › API credentials: tick "Absences: read".',
  'personio-nobody': 'Personio lists no employees. Add employees there, or release them for these credentials.',
  'personio-attribute':
    'Personio does not release the attribute `{name}`. In Personio: Settings › Integrations › API credentials: tick it under "Readable employee attributes", or choose another one in the mapping.',
  'hibob-refused':
    'HiBob refused the id and token of the service user. Create a new service user (In HiBob: System settings › Integrations › Service users) and connect again.',
  'hibob-employees':
    'The service user may not read employees. In HiBob: System settings › Account › Permissions, in the group of the service user: grant "View" of People\'s data.',
  'hibob-absences':
    'The service user may not read time off. In HiBob: System settings › Account › Permissions, in the group of the service user: grant "View" of Time off, or switch absences off in the mapping.',
  'hibob-nobody':
    'HiBob lists no employees. In HiBob: System settings › Account › Permissions, in the group of the service user: choose all people under "Access data for".',
  'hibob-attribute':
    'HiBob does not release the field `{name}` of anybody. In HiBob: System settings › Account › Permissions, in the group of the service user: grant "View" of its category, or choose another field in the mapping.',
  'bamboohr-refused':
    'BambooHR refused the API key. Create a new one (In BambooHR: your name › API keys) and connect again.',
  'bamboohr-employees':
    'The API key may not read employees. In BambooHR: Settings › Access levels, in the access level of the user who owns the API key: allow viewing employees.',
  'bamboohr-absences':
    'The API key may not read time off. In BambooHR: Settings › Access levels, in the access level of the user who owns the API key: allow viewing time off, or switch absences off in the mapping.',
  'bamboohr-nobody':
    'BambooHR lists no employees. In BambooHR: Settings › Access levels, in the access level of the user who owns the API key: allow viewing all employees.',
  'bamboohr-attribute':
    'BambooHR does not release the field `{name}`. In BambooHR: Settings › Access levels, in the access level of the user who owns the API key: allow viewing it, or choose another field in the mapping.',
  'bamboohr-domain': 'BambooHR does not know this domain. It is the first part of the address at which you sign in.',
} as const;

/** What is wrong with a file on an SFTP server, or with the server. */
const files = {
  'sftp-private': '{host} is not at a public address. Use a server that the Internet can reach.',
  'sftp-unreachable': '{host} could not be reached ({error}). It will be tried again.',
  'sftp-no-answer': '{host} could not be reached (no answer). It will be tried again.',
  'sftp-host-key':
    'The host key of {host} is not the one that was given. Ask its operator, and enter the new key if the change is theirs.',
  'sftp-refused': '{host} refused the user, or its password or key. Correct them.',
  'sftp-ended-sign-in': '{host} ended the connection during the sign-in. It will be tried again.',
  'sftp-forbidden': 'The user may not read {path}. Ask the operator of the server for the right to read it.',
  'sftp-write-forbidden':
    'The user may not write to {path}. Ask the operator of the server for the right to create and rename files there.',
  'sftp-ended': 'The SFTP server ended the connection while {path} was transferred. It will be tried again.',
  'sftp-too-large': '{host} sent more data than is read. Ask its operator.',
  'sftp-nobody': '{name} lists nobody. Export it again.',
  'sftp-attribute': '{file} has no column `{name}`. Add it to the export, or choose another one in the mapping.',
  'sftp-incomplete': '{what:text}. Nothing was changed. It will be tried again.',
  'file-slow': 'The SFTP server took too long for {path}',
  'file-no-path': 'There is no {path} on the SFTP server: check the path',
  'file-none': 'There is no file {path} on the SFTP server',
  'file-many': '{path} contains more than {limit} files: delete old ones, or use a folder for the export alone',
  'file-too-large': '{name} is larger than 128 MB',
  'file-partial': 'The SFTP server has stored {stored} of the {bytes} bytes of {path}',
  'file-exists':
    '{path} is on the SFTP server already, and is not overwritten: ask its operator where it comes from, then move it away',
  'file-growing': '{name} is still being written',
  'file-not-table': '{name} is not a table of text in UTF-8 or Windows-1252',
  'file-unclosed-quote': '{name} has a quotation mark that is not closed: it may have been cut off',
  'file-without-columns': '{name} is empty: its first line must name the columns',
  'file-repeated-column': '{name} has the column "{column}" twice',
  'file-cells': 'Record {record} of {name} has {found} cells instead of {columns}: it may have been cut off',
  'file-old': '{name} is {days} days old. Export a new one every day',
  'file-empty': '{name} is empty. Export it again',
  'file-small':
    '{name} has {bytes} bytes, less than half of the last one, which had {lastBytes}. Export it completely. If so many employees have left, connect again',
} as const;

/** What is wrong with credentials or with a mapping. A text about a mapping continues the name of its place. */
const settings = {
  'credentials-object': 'The credentials must be an object.',
  'credentials-unknown': '"{name}" is unknown: {system:system} has {names}.',
  'credentials-missing': '"{name}" is missing.',
  'credentials-port': '"{name}" must be a number from 1 to 65535.',
  'credentials-text': '"{name}" must be text of up to {limit} characters.',
  'credentials-either': 'Give either password or privateKey.',
  'credentials-host-key':
    'hostKey must be the key of the server as "ssh-keyscan HOST" prints it, or its fingerprint (SHA256:…).',
  'credentials-path-pattern':
    'path contains "{text}". Use only * (any characters) and ? (one character), such as /export/roster-*.csv.',
  'credentials-path-folder':
    'path has * or ? in the name of a folder. Name the folder completely, and use them only after the last slash.',
  'credentials-path-long': 'The last part of path is longer than {limit} characters. Shorten it.',
  'credentials-authentication': 'authentication must be one of {names}. Enter what belongs to it: {fields}.',
  'credentials-url': '"{name}" must be an address that begins with https://.',
  'credentials-domain':
    'domain must be the first part of the address at which you sign in: for https://acme.bamboohr.com, it is acme.',
  'mapping-object': 'must be an object',
  'mapping-unknown': 'is not known: use one of {names}',
  'mapping-misspelt': 'is not known: use {nearest}',
  'mapping-attribute': 'must be the name of an attribute of the HR system',
  'mapping-attribute-or-null': 'must be the name of an attribute of the HR system, or null',
  'mapping-conditions': 'must be a list of up to {limit} conditions',
  'mapping-no-values': 'must be left out with present and empty',
  'mapping-is': 'must be one-of, none-of, present or empty',
  'mapping-texts': 'must be a list of up to {limit} texts',
  'mapping-some-texts': 'must be a list of up to {limit} texts, at least one',
  'mapping-both': 'must not contain "{text}", which is in yes too',
  'mapping-absence-types': 'must be "all" or a list of ids of absence types',
  'hints-unsigned':
    '{system:system} does not sign its webhooks, or in no way that we can verify. Keep the address secret instead.',
  'requests-invalid': 'does not have the form that the guide "Connect any REST API" describes',
  'requests-end':
    'counts pages without saying where they end: add `total`, where the response has the number of records, or `more`, which is true while there are further pages',
  'expression-syntax': 'contains "{expression}", which is no JSONata expression ({error}): correct it',
  'provider-fixed': 'must be {provider}: create another integration for another HR system',
} as const;

export const connectors = { ...failures, ...parts, ...gaps, ...files, ...settings } as const;
