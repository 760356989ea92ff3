import { connectors } from './connectors.en.ts';
import { issuers } from './issuers.en.ts';
import { own } from './my.en.ts';
import { policies } from './policies.en.ts';

/**
 * The English catalogue of the sentences that the service says about employees, rosters and requests. The API sends the
 * sentences. Pages receive the key and the values, and render them in the user's language with a catalogue that has the
 * same keys (`de.ts`).
 *
 * `{on:date}` is a date as YYYY-MM-DD, `{on:lastDay}` the day before it, `{day:written}` one that may not exist, `{day:ordinal}` a day of the month, `{field:field}` a field of the roster, `{status:status}` the status of a
 * subscription, `{reason:text}` the key of another text with the same values, and `{problems:list}` a list of other
 * messages. Keys are stored and never renamed. If the meaning of a text or its placeholders change, it gets a new key.
 */
const rules = {
  'start-awaits-absence-end':
    'Absent without a known end: the start is postponed month by month, currently to {on:date}.',
  'start-next-month': 'Starts on {on:date}, with the next whole month.',
  'start-with-employment':
    'Employed from {employedFrom:date}: starts on {on:date}, the first month that begins on or after that.',
  'plan-change-announced': 'What the ticket costs changes from {on:date}. The share of the employee does not rise.',
  'plan-change-offered':
    'The share of the employee is to rise from {on:date}. It stays as it is until the employee agrees.',
  'plan-change-accepted': 'The employee agreed to the higher share from {on:date}.',
  'plan-change-rejected': 'The employee did not agree to the higher share: it stays as it is.',
  'plan-change-no-answer': 'No agreement to the higher share by the deadline: it stays as it is.',
  'plan-changed': 'The new plan applies from {on:date}.',
  'start-after-waiting':
    'Tickets only after {waitingMonths} months of employment, from {waitsUntil:date} on: starts on {on:date}, the first month after that.',
  'start-after-absence':
    'Absent for whole months before: starts on {on:date}, the first month that is not wholly covered.',
  'start-after-pause': 'Paused before: starts on {on:date}, the first month that is not paused.',
  'start-requested': 'Starts on {on:date}, as asked for.',
  'start-awaits-resumption':
    'Paused until further notice: the start is postponed month by month, currently to {on:date}.',
  'start-awaits-contract': 'The contract is not accepted yet: the start is postponed to {on:date}.',
  'start-has-come': 'The subscription starts as planned on {on:date}.',
  'contract-accepted': 'The contract is accepted.',
  'contract-accepted-start': 'The contract is accepted: the subscription can start on {on:date}.',
  'contract-consent': '{how:text}: the contract is accepted.',
  'contract-consent-start': '{how:text}: the contract is accepted, and the subscription can start on {on:date}.',
  'paused-from': '{reason:text}: paused from {on:date} {until:text}.',
  'known-after-cut-off':
    '{reason:text}, known on the {knownDay:ordinal}, after the cut-off on the {cutOffDay:ordinal}: takes effect on {on:date} instead of {requestedOn:date}.',
  'pause-taken-back': 'There is no longer a reason for a pause: the pause planned for {on:date} is withdrawn.',
  'pause-has-come': 'The pause begins as planned on {on:date} and lasts {until:text}.',
  'pause-taken-back-on-request': '{reason:text}: the pause planned for {on:date} is withdrawn.',
  'resumption-requested': '{reason:text}: tickets resume on {on:date}.',
  'resumption-awaits-others': '{reason:text}, but still paused for other reasons {until:text}.',
  'resumption-unknown': 'The pause lasts until further notice, because its end is not known.',
  'resumption-known': 'Tickets resume on {on:date}, the first possible month.',
  'resumption-has-come': 'Tickets resume as planned on {on:date}.',
  'end-requested': '{reason:text}: ends after {on:lastDay}, as asked for.',
  'undone-subscribe': 'The subscription was undone: what was before applies again.',
  'undone-pause': 'The pause was undone: what was before applies again.',
  'undone-resume': 'The resumption was undone: what was before applies again.',
  'undone-cancel': 'The cancellation was undone: what was before applies again.',
  'end-as-planned': '{reason:text}: ends after {on:lastDay}, as planned before.',
  'end-without-ticket': '{reason:text}: no ticket is running or planned, so it ends today.',
  'end-after-termination': '{reason:text}: ends after {on:lastDay}, with the ticket of that month.',
  'end-at-earliest': "{reason:text}: ends after {on:lastDay}, with the current month's ticket.",
  'end-before-start': 'The next possible start, {on:date}, leaves no month before the end, so it ends today.',
  'end-taken-back': 'There is no longer a reason to end: the end planned after {on:lastDay} is withdrawn.',
  'end-has-come': 'The subscription has ended as planned after {on:lastDay}.',
  'not-subscribed-opted-out': 'No subscription: the employee is opted out in the HR system.',
  'not-subscribed-not-requested':
    'No subscription: the HR system does not specify whether to subscribe this employee, and no user has subscribed them.',
  'not-subscribed-not-joined': 'No subscription: the employee has not joined yet, and no user has subscribed them.',
  'not-subscribed-employment-ends': 'No subscription: {ends:text}, before the first possible ticket on {on:date}.',
  'not-subscribed-absent': 'No subscription: absent without a known end, and {ends:text}.',
  'not-subscribed-ended-by-employee':
    'No new subscription: the employee ended it. Only they restart it, or the company with their consent.',
  'not-subscribed-ended-by-company': 'No new subscription: the company ended it. Only the company restarts it.',
  'not-subscribed-pause-requested':
    'No new subscription: a requested pause is still in effect. A user can subscribe this employee again.',
  'answer-active': '{name} has the ticket. The next one is due on {on:date}.',
  'answer-due': 'The ticket of {name} for this month is still to be issued.',
  'answer-pausing': '{name} has the ticket until {on:lastDay}. Then the subscription is paused {until:text}.',
  'answer-ends': '{name} has the ticket until {on:lastDay}.',
  'answer-paused': 'The subscription of {name} is paused {until:text}.',
  'answer-paused-ends': 'The subscription of {name} is paused and ends on {on:lastDay}, without another ticket.',
  'answer-starts': '{name} gets the ticket from {on:date}.',
  'answer-awaits-consent': '{name} gets the ticket once the contract is signed, from {on:date} at the earliest.',
  'answer-awaits-absence-end': '{name} gets the ticket after their absence.',
  'answer-awaits-resumption': '{name} gets the ticket once the pause ends.',
  'answer-ended': '{name} has had no ticket since {on:date}.',
  'answer-ended-unused': '{name} has no ticket: the subscription ended before the first one.',
  'joining-not-allowed': 'Employees of this company cannot join by themselves: the roster decides who has a ticket.',
  'answer-invited': 'Invited to join on {on:date}, and not decided yet.',
  'answer-none': '{name} has no ticket.',
  'answer-removed': '{name} is no longer in the roster and will be removed today.',
  'answer-end-reason': 'Reason for the end: {reason:text}.',
  'answer-ends-because': 'The subscription ends on {on:lastDay}. Reason: {reason:text}.',
  'answer-ends-late': '{reason:text}. This was reported after the cut-off, so the subscription ends on {on:lastDay}.',
  'answer-leaving': 'Will be removed from the employees on {on:date}.',
  'answer-absent': 'Absent from {from:date} to {to:date}.',
  'answer-absent-open': 'Absent from {from:date}, with no known end.',
  'answer-employed-from': 'The first day of work is {employedFrom:date}.',
  'answer-paused-by-employee': 'The employee paused the subscription.',
  'answer-paused-by-company': 'The company paused the subscription.',
  'answer-asked-start': 'The start was asked for this month.',
  'answer-pause-over': 'There is no longer a reason for the pause.',
  'answer-next-month': 'The subscription starts with the next whole month.',
  'answer-since': 'Subscribed since {on:date}.',
  'answer-no-link': 'The contract is pending, and there is no valid link to sign it.',
  'answer-link':
    'The contract is pending. The link to sign it was created on {createdOn:date} and is valid until {expiresOn:date}.',
  'mapping-terminationDate': 'Terminated because `{attribute}` = {value}.',
  'mapping-autoSyncEmployee': '`autoSyncEmployee` was decided because `{attribute}` = {value}.',
  'mapping-absences': 'Absent because of "{value}".',
  'mapping-absences-nameless': 'Absence in the HR system.',
  'mapping-include': 'Not included because `{attribute}` = {value}.',
} as const;

const parts = {
  'consent-electronically': 'The employee agreed electronically on {givenOn:date}',
  'consent-on-paper': 'The employee agreed on paper on {givenOn:date}',
  'pause-reason-request': 'Paused on request',
  'pause-reason-absence': 'Absent for whole months',
  'pause-reason-employment': 'Employed from {employedFrom:date} only',
  'pause-reason-employee': 'Paused by the employee',
  'pause-reason-company': 'Paused by the company',
  'resume-reason-employee': 'Resumed by the employee',
  'resume-reason-company': 'Resumed by the company',
  'until-further-notice': 'until further notice',
  'until-resumption': 'until tickets resume on {resumesOn:date}',
  'end-reason-termination': 'Employment ends',
  'end-reason-termination-on': 'Employment ends on {terminatedOn:date}',
  'end-reason-terminated-on': 'Employment ended on {terminatedOn:date}',
  'end-reason-offboard': 'No longer in the roster',
  'end-reason-contract-rejected': 'The contract is rejected',
  'end-reason-opt-out': 'Opted out in the HR system',
  'end-reason-cancel': 'Cancelled on request',
  'end-reason-cancel-employee': 'Cancelled by the employee',
  'end-reason-cancel-company': 'Cancelled by the company',
  'employment-ends': 'employment ends',
  'employment-ends-on': 'employment ends on {terminatedOn:date}',
} as const;

const refusals = {
  'refusal-not-possible-in-this-status': 'This is not possible while the subscription is {status:status}.',
  'refusal-not-in-roster': 'The employee is no longer in the roster. Add them to the roster first.',
  'refusal-opted-out': 'The employee is opted out in the HR system. Change this in the HR system first.',
  'refusal-employment-ends':
    'Employment ends before a ticket could be issued. Correct the termination date in the HR system first.',
  'refusal-no-contract': 'The plan of this employee needs no contract.',
  'refusal-ended-by-employee': 'The employee ended the subscription. They can restart it themselves.',
  'refusal-joining-not-allowed': 'Employees of this company do not order tickets themselves. Ask the HR department.',
  'refusal-ended-by-company': 'The company ended the subscription. Ask the HR department to restart it.',
  'refusal-consent-required':
    'The employee ended the subscription themselves. Record their consent, then subscribe them again.',
  'refusal-contract-rejected': 'The contract is rejected. Accept it instead, or subscribe again after the end.',
  'refusal-not-paused': 'There is no pause to end. Load the subscription again.',
  'refusal-paused-by-employee': 'The employee paused the subscription. They can resume it themselves.',
  'refusal-paused-by-company': 'The company paused the subscription. Ask the HR department to resume it.',
  'refusal-pause-ends-earlier': 'The pause ends earlier. Ask for an earlier month, or for a new pause.',
  'refusal-after-cut-off': 'It is after the cut-off for the next month. Choose {on:date} or a later month.',
  'refusal-too-early': 'This month is too early. Choose {on:date} or a later month.',
  'refusal-too-far-ahead': 'This month is too far ahead. Choose one within the next five years.',
  'refusal-until-too-early': 'The pause must end after it begins, in a month to come. Choose a later month.',
  'refusal-until-without-pause': 'Only a pause has an end. Leave out `until`.',
  'refusal-still-running': 'The subscription still runs until then. Choose {on:date} or an earlier month.',
  'refusal-ends-before': 'The subscription ends before. Choose an earlier month, or take back the end first.',
  'refusal-absence-without-end':
    'An absence or a pause without an end covers this month. Leave the month out: it starts after the pause.',
  'refusal-undo-too-late': 'It is too late to undo this. Ask for the opposite instead.',
  'refusal-undo-not-possible':
    'This cannot be undone: something else has changed since. Ask for what you want instead.',
  'refusal-pause-follows-absence':
    'The pause is caused by an absence or a later start date. Change it in the HR system.',
} as const;

const records = {
  'record-created': 'New in the roster.',
  'record-hr-id-reused': 'New in the roster. The HR id belonged to another employee, whose data is kept separately.',
  'record-updated': 'Changed in the roster.',
  'record-linked': 'Matched by email address and linked to this integration.',
  'record-renumbered': 'Matched by email address. The HR system has assigned a new id.',
  'record-returned': 'Back in the roster.',
  'record-unlinked':
    'Missing from the roster. Another integration still lists this employee, so only this link is removed.',
  'record-removed': 'Missing from the roster. Removed immediately, because there is no current ticket.',
  'record-offboarded': 'Missing from the roster. Removed when the current ticket expires.',
  'record-removal-held': 'Missing from the roster. Too many removals at once: approval required.',
  'late-termination':
    'Employment ended on {terminatedOn:date}, known too late for {months}: tickets cost {amount}. Proposed correction: reverse the charges {items}, unless the tickets were used.',
  'late-absence':
    'Absent for all of {months}, known too late: tickets cost {amount}. Proposed correction: reverse the charges {items}, unless the tickets were used.',
  'record-email-taken': 'The email address belongs to employee {holderId}. Correct one of the two in the HR system.',
  'record-hr-id-held':
    'The HR id belonged to employee {holderId}, whose removal is pending approval. Approve or reject it, then send the roster again.',
} as const;

/** What is wrong with a value. The text continues the name of its place: `/employees/17/email must be …`. */
const values = {
  'value-required': 'is required',
  'value-missing': 'is missing',
  'value-unknown-property': 'is not a known property',
  'value-invalid': 'is invalid',
  'value-one-of': 'must be one of {values}',
  'value-true-or-false': 'must be `true` or `false`',
  'value-type': 'must be of type {type}',
  'value-at-least': 'must be at least {limit}',
  'value-at-most': 'must be at most {limit}',
  'value-between': 'must be a whole number from {minimum} to {maximum}',
  'value-first-of-month': 'must be the first day of a month, such as 2026-11-01',
  'value-email': 'must be an email address',
  'value-email-example': 'must be an email address, such as {example}',
  'value-single-line':
    'must be one line of visible text, without control characters, characters that change its direction, or U+FFFD',
  'value-format': 'must be a {format}',
  'value-pattern': 'must match the pattern {pattern}',
  'value-without-nul': 'must not contain the NUL character',
  'value-next-page': 'must be `next` of the page before',
  'value-request-id': 'must be a complete request id, as in the header `X-Request-Id` of a response',
  'value-empty': 'must not be empty',
  'value-invisible': 'must contain at least one visible character',
  'value-too-short': 'must have at least {limit} characters',
  'value-too-long': 'must have at most {limit} characters',
  'value-encoding': 'must be percent-encoded UTF-8, such as `M%C3%BCller`',
  'value-once': 'must be given once',
  'value-unknown-parameter': 'is not a known parameter; known parameters are {names}',
  'value-no-parameters': 'is not a known parameter; this operation has none',
  'value-misspelt-parameter': 'is not a known parameter; did you mean `{nearest}`?',
  'value-unpaired-surrogate': 'must not contain an unpaired surrogate',
  'value-control-character':
    'must not contain control characters or line breaks: remove {character} at character {position}',
  'value-direction-character':
    'must not contain characters that change the text direction: remove {character} at character {position}',
  'value-replacement-character':
    'must not contain the replacement character {character} at character {position}: text in Windows-1252 (cp1252) or Latin-1 was read as UTF-8. Export it again in UTF-8',
  'value-idempotency-key': 'must have 1 to 255 visible ASCII characters, without spaces',
  'value-too-few-items': 'must NOT have fewer than {limit} items',
  'value-too-many-items': 'must NOT have more than {limit} items',
  'value-repeated-items': 'must NOT have duplicate items',
  'value-string': 'must be a string',
  'value-newest-sequence':
    'must be at most {newest}, the sequence of the newest event; use the `nextAfter` of this environment and company, or start again without `after`',
  'value-not-future': 'must not be in the future',
  'forecast-policy': 'is no policy of your company',
  'forecast-terms':
    'needs exactly one of `employeeCents`, `employerCents` and `employerPercent` for split pay, none for other plans, and bounds only for a percentage',
  'corrections-either': 'does not fit "items": send either the ids of charges or an employee',
  'corrections-neither': 'is missing: send the ids of charges in "items", or "employeeId" with "from"',
  'corrections-no-month': 'is missing: send the first month whose ticket is corrected',
  'corrections-months': 'must not be before "from"',
  'logo-not-usable':
    'The file is not a PNG picture that letters can show. Save it as PNG without interlacing, with at most {kilobytes} KB and {pixels} pixels per side, then choose it again.',
  'documents-being-written': '{count} of these documents are still being written. Try again in a few minutes.',
  'documents-too-many':
    '{count} documents match, and an archive has at most {limit}. Choose a month, a type or an employee.',
  'document-not-a-pdf': 'The file is not a PDF. Save it as a PDF, then choose it again.',
  'value-future': 'must be in the future',
  'value-not-before-from': 'must not be less than `from`',
  'value-later-than-today': 'must be later than today, {today:date}, because time moves forward only',
  'value-too-far': 'must be {last:date} at the latest, {days} days from today',
  'value-reply-to': 'must be an email address',
  'value-mail-required': 'cannot be switched off',
  'value-mail-kinds': 'names an unknown mail. Possible are: {names}',
  'value-locale': 'must be a locale such as de-DE or en-GB',
  'value-time-zone': 'must be a time zone such as Europe/Berlin',
  'value-benefit-valuation': 'must be 100 or 96',
  'value-company-name': 'must have 1 to 200 characters and no control characters',
  'batch-employee-gone': 'This employee does not exist any more.',
  'value-unprintable': 'must not contain "{character}": the typeface of documents lacks this character',
  'value-vat-id': 'must be a VAT id with its country, such as DE123456789',
  'value-country': 'must be a country code of two letters, such as DE',
  'value-leitweg-id': 'must be a Leitweg-ID with the right check digits at its end: compare it with the order',
  'value-phone': 'must be a phone number with at least three digits, such as +49 30 1234567',
  'value-iban': 'must be an IBAN with the right check digits: compare it with a bank statement',
  'value-bic': 'must be a BIC of 8 or 11 characters, such as COBADEFFXXX',
  'url-not-url': 'must be a URL such as https://example.com/webhooks',
  'url-not-https': 'must start with https://',
  'url-not-https-in-production': 'must start with https:// in production',
  'url-credentials': 'must not contain credentials: verify the signature of each delivery instead',
  'url-fragment': 'must not contain a fragment: remove the # and what follows it',
  'url-port': 'must use port 443 or a port from 1024 to 65535, but uses {port}',
  'url-private': 'must be at a public address: use a host that the Internet can reach',
  'password-common': 'is one of the passwords that are guessed first: choose several words that do not belong together',
  'password-contains-address': 'must not contain the email address or the part of it before the @',
  'sso-not-discoverable': 'does not publish a configuration of OpenID Connect that names this issuer',
  'sso-break-glass': 'must be an admin with a password if single sign-on is enforced',
  'sso-no-domain': 'needs a proven domain',
  'sso-secret-missing': 'is missing',
  'sso-domain': 'must be a domain, such as example.com',
  'sso-domains-many': 'is one too many: {limit} at most',
  'sso-domain-taken': 'belongs to another company here: contact the operator',
} as const;

/** What is wrong with an entry of a roster. The text continues the name of its place. */
const entries = {
  'entry-object': 'must be an object',
  'entry-body': 'must be an object with `syncId` and `employees`',
  'entry-array': 'must be an array',
  'entry-nobody': 'must list every employee and cannot be empty',
  'entry-empty-date': 'must be a date in the form YYYY-MM-DD, or null if there is none, but is empty',
  'entry-empty-url': 'must be a complete http or https URL, or null if there is none, but is empty',
  'entry-url': 'must be a complete http or https URL, or null if there is none',
  'entry-date': 'must be a valid date in the form YYYY-MM-DD, such as 2026-11-30',
  'entry-no-such-date': 'must be a valid date, but {day:written} does not exist',
  'entry-date-range':
    'must be between the years {first:year} and {last:year}; use null instead of a date that means "never"',
  'entry-boolean': 'must be true or false',
  'entry-boolean-or-null': 'must be true, false or null',
  'entry-absences': 'must be an array, empty if there are none',
  'entry-too-many-absences': 'must have at most {limit} absences; omit old ones',
  'entry-too-many-fields': 'must have at most {limit} fields',
  'entry-ends-before-start': 'must not be earlier than `startDate`',
  'entry-unknown-field': 'is not a known field: use `{nearest}`',
  'entry-reserved':
    'must not be `.` or `..`, because the URL of the sync ends with it, and clients resolve dot segments',
  'entry-cells': 'must have {expected} cells like the row of the headings, but has {actual}',
  'entry-misspelt-column': 'has the unknown column {name}: use {nearest}',
  'entry-missing-column': 'must contain the column {column}',
  'entry-absence-columns': 'must contain a first day for each last day of an absence',
  'entry-repeated-column': 'must contain the column {column} only once',
  'entry-duplicate-hr-id': 'must be unique, but {place:place} has the same value',
  'entry-duplicate-email':
    'must be unique, but {place:place} has the same value (ignoring case and Unicode normal form)',
} as const;

/** Details of problems that say more than their code. */
const problems = {
  'table-empty': 'The file is empty. Its first row must contain the names of the columns.',
  'table-pdf': 'The file is a PDF. Export the roster from your HR system as Excel or CSV, then choose that file.',
  'table-not-text':
    'The file is neither a table of text nor an Excel file (.xlsx). Save it as one of them and try again.',
  'table-mixed-encoding': 'The file mixes several encodings. Save it as "CSV UTF-8" and try again.',
  'table-unclosed-quote': 'has a quotation mark that is not closed',
  'table-invalid-workbook':
    'The Excel file could not be read. Open it in Excel, save it as .xlsx without a password, and try again.',
  'table-workbook-too-large': 'The Excel file is too large. Save it as "CSV UTF-8" and try again.',
  'sync-provisioned':
    'An identity provider keeps the roster of this integration by SCIM. Revoke its token in the developer portal, then send the roster again.',
  'sync-inactive': 'The integration is disabled. Enable it in the developer portal, then send the roster again.',
  'sync-invalid':
    'The credentials of the integration have expired or were revoked. Reconnect it in the developer portal.',
  'sync-incomplete':
    'The integration is not set up yet. Finish its setup in the developer portal, then send the roster again.',
  'integration-busy': 'A roster of this integration is still being applied. Wait until it is done, then try again.',
  'employee-email-taken': 'Employee {id} already has this email address. Open that employee instead.',
  'employee-hr-id-taken': 'Employee {id} already has this HR id. Enter another one.',
  'employee-in-roster': 'A roster contains this employee. Remove them in the HR system, or from the next roster.',
  'hand-roster-value': 'comes from the roster. Change it in the HR system, or in the next roster',
  'hand-contradicting-date': 'contradicts another date of this employee',
  'hand-known-absence': 'overlaps an absence that the roster contains already',
  'agreement-not-open': 'There is no agreement to decide about. Reload the page.',
  'no-ticket-to-replace': 'There is no such ticket this month. Reload the page.',
  'ticket-replaced-too-often':
    'This ticket was replaced {limit} times already. Ask your HR department, or wait for the ticket of the next month.',
  'sync-not-failed': 'This sync has not failed. Only a failed sync can be applied again.',
  'sync-roster-gone':
    'The roster of this sync is no longer stored: a newer one has arrived, or it failed more than a week ago. Send it again.',
  'sync-id-reused': 'The syncId "{syncId}" was already used for another roster. Send this roster with a new syncId.',
  'roster-too-many-entries': '`{name}` has more than {limit} entries. Ask the operator for a higher limit.',
  'roster-too-large': 'The body is larger than {limit} bytes. Ask the operator for a higher limit.',
  'too-many-views': 'You have saved {limit} views already. Delete one, then save this one.',
  'removals-confirmation': '{removals} removals are to be decided, but {confirmed} were confirmed.',
  'removals-not-pending': '{count} of the chosen removals are not pending. Load the sync again.',
  'companies-confirmation':
    'Time travel moves {companies} companies, but {confirmed} were confirmed. Check the number and confirm again.',
  'connection-pushed': 'Rosters are pushed to this integration. Create one for your HR system.',
  'connection-without-credentials': 'Enter the credentials of your HR system first.',
  'payroll-period-not-begun': 'This month has not begun. Export it from its first day on.',
  'payroll-already-voided': 'This export has been voided already. Load the page again.',
  'payroll-not-the-latest':
    'Only the latest export can be voided, because later ones build on it. Void the later ones first.',
  'payroll-handed-over':
    'This export was handed over to payroll. If payroll has not booked it, withdraw the handover first, then void it.',
  'payroll-export-voided': 'This export was voided, and its lines are in the next one. Use that one.',
  'payroll-nothing-to-export': 'No ticket of this period was billed. Choose another period.',
  'payroll-year-not-over': 'This year is not over. Statements can be made from January of the next year on.',
  'payroll-year-empty': 'No ticket of this year was billed. Choose another year.',
  'payroll-settings-missing':
    'Payroll settings are missing. The preview names them; an admin sets them in the settings.',
  'payroll-employees-unusable':
    'Some employees have no usable personnel number. The preview names them and the remedy.',
  'invitation-not-open':
    'This invitation does not exist, has expired, or was used or withdrawn. Ask an admin of the company for a new one.',
  'last-admin': '{name} is the only admin. Give another user the role admin first.',
  'user-email-taken': 'A user of your company already has the address {email}.',
  'too-many-invitations': 'Your company has sent {limit} invitations within 24 hours. Send the others tomorrow.',
  'account-shared':
    'The account of {name} opens other companies as well, so it cannot be reset here. Ask the operator.',
  'sso-unreachable': 'Your identity provider cannot be reached. Try again later, or contact an admin of your company.',
  'sso-not-started': 'This sign-in was not started in this browser, or took too long. Start again.',
  'sso-old-address':
    'Your identity provider sent you to an address that is not used any more. Ask an admin of your company to register the redirect URI that the page Single sign-on shows.',
  'sso-other-connection':
    'This response belongs to the sign-in of another company. Start again, and tell an admin if it happens again.',
  'sso-provider-refused': 'Your identity provider did not sign you in. Start again.',
  'sso-no-address': 'Your identity provider did not confirm an email address. Contact an admin of your company.',
  'sso-address-unverified':
    'Your address already has a user, and your identity provider did not confirm that it is yours (email_verified). Ask an admin of your company to have it confirmed there.',
  'sso-other-domain':
    'Your address does not belong to a proven domain of your company. Contact an admin of your company.',
  'sso-disabled': 'Your account is disabled. Contact an admin of your company.',
  'sso-other-identity':
    'This address belongs to another person. Ask an admin of your company to remove that user first.',
  'sso-no-role': 'None of your groups has access. Contact an admin of your company.',
  'sso-no-employee': 'No employee of your company has your address. Ask your HR department.',
  'sso-company-requires': 'This company requires single sign-on. Choose it on the sign-in page.',
  'access-link-invalid': 'This link has expired or was used. Ask for a new one.',
  'access-link-other-browser':
    'This link opens only in the browser in which you asked for it. Open it there, or ask for a new one here.',
  'access-letter-invalid':
    'The number or the code is wrong, or the letter has expired or was used. Check both, or ask your HR department for a new letter.',
  'access-without-mail': 'This service sends no mail. Ask your HR department for a link or a letter.',
  'account-exists': 'This address has an account. Reload the page and accept with the password of that account.',
  'address-link-wrong': 'This link does not belong to your account, has expired or was used. Request a new one.',
  'account-email-taken': '{email} already has an account of this company. Sign in with it.',
} as const;

/** Reasons of corrections. An operator can write any other text. */
const corrections = {
  'correction-refunded': 'The ticket could not be used and was refunded.',
  'correction-charged-twice': 'The ticket was charged twice.',
  'correction-left': 'The employee had left before the ticket began.',
  'correction-absent': 'The employee was absent for the whole month.',
  'correction-wrong-plan': 'The ticket was charged with the wrong plan.',
  'correction-erased': 'Erased',
} as const;

export const en = {
  ...rules,
  ...parts,
  ...refusals,
  ...records,
  ...values,
  ...entries,
  ...problems,
  ...corrections,
  ...connectors,
  ...issuers,
  ...policies,
  ...own,
} as const;
