import type * as Enums from '../../../../src/domain/enums.ts';
import type { UpcomingType } from '../../../../src/domain/subscription/public-dates.ts';
import type { ChangeSource } from '../../../../src/domain/subscription/sources.ts';
import type { Cause } from '../../../../src/domain/subscription/transitions.ts';
import type { KeyState } from '../../../../src/features/keys/contract.ts';

type Text = Readonly<Record<Enums.Language, string>>;

/** Every enum that pages show. A missing word is a compile error. */
export const texts = {
  subscriptionStatus: {
    'no-subscription': { de: 'Kein Abo', en: 'No subscription' },
    scheduled: { de: 'Geplant', en: 'Scheduled' },
    active: { de: 'Aktiv', en: 'Active' },
    'scheduled-pause': { de: 'Pause geplant', en: 'Pause scheduled' },
    paused: { de: 'Pausiert', en: 'Paused' },
    'scheduled-cancellation': { de: 'Ende geplant', en: 'End scheduled' },
    cancelled: { de: 'Beendet', en: 'Ended' },
  } satisfies Record<Enums.SubscriptionStatus, Text>,
  pullSchedule: {
    hourly: { de: 'Stündlich', en: 'Every hour' },
    'every-three-hours': { de: 'Alle drei Stunden', en: 'Every three hours' },
    nightly: { de: 'Jede Nacht', en: 'Every night' },
  } satisfies Record<Enums.PullSchedule, Text>,
  plan: {
    'fully-subsidized-plan': { de: 'Volle Kostenübernahme', en: 'Fully subsidized' },
    'deferred-plan': { de: 'Voller Lohnabzug', en: 'Deferred' },
    'split-pay-plan': { de: 'Geteilte Kosten', en: 'Split pay' },
  } satisfies Record<Enums.PlanType, Text>,
  contract: {
    pending: { de: 'Offen', en: 'Pending' },
    accepted: { de: 'Angenommen', en: 'Accepted' },
    rejected: { de: 'Abgelehnt', en: 'Rejected' },
  } satisfies Record<Enums.ContractStatus, Text>,
  permission: {
    'view-employees': { de: 'Beschäftigte lesen', en: 'Read employees' },
    'view-hr-integrations': { de: 'HR-Integrationen lesen', en: 'Read HR integrations' },
    'view-billing': { de: 'Abrechnung lesen', en: 'Read billing' },
    'add-employees': { de: 'Beschäftigte anlegen', en: 'Add employees' },
    'update-employees': { de: 'Beschäftigte ändern', en: 'Update employees' },
    'remove-employees': { de: 'Beschäftigte entfernen', en: 'Remove employees' },
    'manage-subscriptions': { de: 'Abos ändern', en: 'Manage subscriptions' },
    'manage-billing': { de: 'Posten stornieren', en: 'Correct charges' },
  } satisfies Record<Enums.Permission, Text>,
  permissionHint: {
    'view-employees': {
      de: 'Beschäftigte, ihre Abos, Tickets und Dokumente.',
      en: 'Employees, their subscriptions, tickets and documents.',
    },
    'view-hr-integrations': {
      de: 'Integrationen, ihre Abgleiche und die Ergebnisse.',
      en: 'Integrations, their syncs and the results.',
    },
    'view-billing': { de: 'Posten aller Abrechnungsmonate.', en: 'Charges of all billing periods.' },
    'add-employees': { de: 'Ein Abgleich kann Beschäftigte anlegen.', en: 'A sync can add employees.' },
    'update-employees': {
      de: 'Ein Abgleich kann Beschäftigte und ihre Abos ändern.',
      en: 'A sync can update employees and their subscriptions.',
    },
    'remove-employees': {
      de: 'Ein Abgleich kann Beschäftigte abmelden, die nicht mehr auf der Personalliste stehen.',
      en: 'A sync can offboard employees who are no longer in the roster.',
    },
    'manage-subscriptions': {
      de: 'Abos abschließen, pausieren, fortsetzen und beenden, ohne Abgleich.',
      en: 'Subscribe, pause, resume and cancel subscriptions, without a sync.',
    },
    'manage-billing': {
      de: 'Posten mit einer Korrektur stornieren.',
      en: 'Reverse charges by corrections.',
    },
  } satisfies Record<Enums.Permission, Text>,
  keyState: {
    active: { de: 'Aktiv', en: 'Active' },
    expired: { de: 'Abgelaufen', en: 'Expired' },
    revoked: { de: 'Widerrufen', en: 'Revoked' },
  } satisfies Record<KeyState, Text>,
  integrationType: {
    'hr-integration': { de: 'HR-System', en: 'HR system' },
    'api-integration': { de: 'API', en: 'API' },
  } satisfies Record<Enums.IntegrationType, Text>,
  integrationStatus: {
    active: { de: 'Aktiv', en: 'Active' },
    invalid: { de: 'Zugangsdaten ungültig', en: 'Credentials invalid' },
    inactive: { de: 'Inaktiv', en: 'Inactive' },
  } satisfies Record<Enums.IntegrationStatus, Text>,
  onboarding: {
    incomplete: { de: 'Einrichtung unvollständig', en: 'Setup incomplete' },
    'final-sync-pending': { de: 'Wartet auf ersten Abgleich', en: 'Waiting for first sync' },
    completed: { de: 'Eingerichtet', en: 'Set up' },
  } satisfies Record<Enums.OnboardingStatus, Text>,
  syncState: {
    accepted: { de: 'Wartet', en: 'Waiting' },
    processing: { de: 'Läuft', en: 'Running' },
    succeeded: { de: 'Erfolgreich', en: 'Succeeded' },
    'partially-failed': { de: 'Unvollständig', en: 'Partially failed' },
    failed: { de: 'Fehlgeschlagen', en: 'Failed' },
    'authentication-failed': { de: 'Anmeldefehler', en: 'Sign-in failed' },
  } satisfies Record<Enums.SyncState, Text>,
  recordOutcome: {
    created: { de: 'Angelegt', en: 'Created' },
    updated: { de: 'Geändert', en: 'Updated' },
    offboarded: { de: 'Abgemeldet', en: 'Offboarded' },
    held: { de: 'Zurückgestellt', en: 'Held' },
    failed: { de: 'Fehlgeschlagen', en: 'Failed' },
  } satisfies Record<Enums.RecordOutcome, Text>,
  approvalState: {
    pending: { de: 'Wartet auf Freigabe', en: 'Waiting for approval' },
    approved: { de: 'Freigegeben', en: 'Approved' },
    rejected: { de: 'Abgelehnt', en: 'Rejected' },
    replaced: { de: 'Durch neueren Abgleich ersetzt', en: 'Replaced by a newer sync' },
  } satisfies Record<Enums.ApprovalState, Text>,
  /** Followed by a date. */
  upcoming: {
    start: { de: 'Beginn am', en: 'Starts on' },
    pause: { de: 'Pause ab', en: 'Pauses on' },
    resumption: { de: 'Fortsetzung am', en: 'Resumes on' },
    cancellation: { de: 'Ende am', en: 'Ends on' },
  } satisfies Record<UpcomingType, Text>,
  hrLink: {
    custom: { de: 'Manuell verknüpft', en: 'Linked manually' },
    'hr-integration': { de: 'Durch Abgleich verknüpft', en: 'Linked by sync' },
  } satisfies Record<Enums.HrLinkType, Text>,
  charge: {
    'service-charge': { de: 'Servicegebühr', en: 'Service fee' },
    'ticket-charge': { de: 'Ticket', en: 'Ticket' },
    'hr-integration-charge': { de: 'HR-Integration', en: 'HR integration' },
    'hr-payroll-integration-charge': { de: 'Lohnintegration', en: 'Payroll integration' },
    'api-charge': { de: 'API-Zugang', en: 'API access' },
  } satisfies Record<Enums.ChargeType, Text>,
  cause: {
    termination: { de: 'Beschäftigung endet', en: 'Employment ends' },
    'termination-withdrawn': { de: 'Kündigung zurückgenommen', en: 'Termination withdrawn' },
    offboard: { de: 'Nicht mehr auf der Personalliste', en: 'No longer in the roster' },
    return: { de: 'Wieder auf der Personalliste', en: 'Back in the roster' },
    'opt-out': { de: 'Im HR-System abgewählt', en: 'Opted out in the HR system' },
    subscribe: { de: 'Abo abgeschlossen', en: 'Subscribed' },
    start: { de: 'Eintrittsdatum geändert', en: 'Start date changed' },
    'not-subscribed': { de: 'Bleibt ohne Abo', en: 'Not subscribed' },
    absence: { de: 'Abwesenheit', en: 'Absence' },
    'absence-withdrawn': { de: 'Abwesenheit zurückgenommen', en: 'Absence withdrawn' },
    'plan-change': { de: 'Neues Kostenmodell', en: 'New plan' },
    'contract-accepted': { de: 'Vereinbarung angenommen', en: 'Contract accepted' },
    'contract-rejected': { de: 'Vereinbarung abgelehnt', en: 'Contract rejected' },
    cancel: { de: 'Auf Wunsch beendet', en: 'Ended on request' },
    pause: { de: 'Auf Wunsch pausiert', en: 'Paused on request' },
    resume: { de: 'Auf Wunsch fortgesetzt', en: 'Resumed on request' },
    undo: { de: 'Rückgängig gemacht', en: 'Undone' },
    calendar: { de: 'Termin erreicht', en: 'Scheduled date reached' },
  } satisfies Record<Cause, Text>,
  source: {
    sync: { de: 'HR-Abgleich', en: 'HR sync' },
    absence: { de: 'Abwesenheit', en: 'Absence' },
    contract: { de: 'Vereinbarung', en: 'Contract' },
    user: { de: 'Benutzer', en: 'User' },
    employee: { de: 'Beschäftigte Person', en: 'Employee' },
    key: { de: 'API-Schlüssel', en: 'API key' },
    calendar: { de: 'Kalender', en: 'Calendar' },
  } satisfies Record<ChangeSource, Text>,
  accessMethod: {
    'mailed-link': { de: 'mit einem Link per E-Mail', en: 'with a link by mail' },
    'passed-on-link': { de: 'mit einem weitergegebenen Link', en: 'with a link that was passed on' },
    letter: { de: 'mit einem Brief', en: 'with a letter' },
    'single-sign-on': { de: 'mit Single Sign-on', en: 'with single sign-on' },
  } satisfies Record<Enums.AccessMethod, Text>,
  consentWay: {
    electronically: { de: 'Elektronisch', en: 'Electronically' },
    'on-paper': { de: 'Auf Papier', en: 'On paper' },
  } satisfies Record<Enums.ConsentWay, Text>,
  actor: {
    key: { de: 'API-Schlüssel', en: 'API key' },
    user: { de: 'Benutzer', en: 'User' },
    operator: { de: 'Betreiber', en: 'Operator' },
    employee: { de: 'Beschäftigte Person', en: 'Employee' },
    service: { de: 'Dienst', en: 'Service' },
  } satisfies Record<Enums.ActorType, Text>,
  policyReason: {
    'by-hand': { de: 'von Hand zugewiesen', en: 'assigned by hand' },
    'by-group': { de: 'wegen der Gruppe', en: 'because of the group' },
    default: { de: 'Vorgabe des Unternehmens', en: 'the default of the company' },
  } satisfies Record<Enums.PolicyReason, Text>,
  personnelNumberRule: {
    'hr-id': { de: 'HR-ID wie sie ist', en: 'The HR ID as it is' },
    'hr-id-digits': { de: 'Nur die Ziffern der HR-ID', en: 'Only the digits of the HR ID' },
  } satisfies Record<Enums.PersonnelNumberRule, Text>,
  employeeMail: {
    'access-link': { de: 'Link zur eigenen Seite', en: 'Link to their page' },
    invitation: { de: 'Einladung', en: 'Invitation' },
    'invitation-reminder': { de: 'Erinnerung an die Einladung', en: 'Reminder of the invitation' },
    welcome: { de: 'Abo beginnt', en: 'Subscription starts' },
    ticket: { de: 'Neues Ticket', en: 'New ticket' },
    agreement: { de: 'Vereinbarung', en: 'Agreement' },
    'agreement-reminder': { de: 'Erinnerung an die Vereinbarung', en: 'Reminder of the agreement' },
    'plan-changed': { de: 'Anteil ändert sich', en: 'Share changes' },
    'price-changed': { de: 'Ticketpreis ändert sich', en: 'Ticket price changes' },
    'pause-confirmed': { de: 'Pause bestätigt', en: 'Pause confirmed' },
    'resumption-confirmed': { de: 'Ende der Pause bestätigt', en: 'Resumption confirmed' },
    'cancellation-confirmed': { de: 'Kündigung bestätigt', en: 'Cancellation confirmed' },
    'undo-confirmed': { de: 'Änderung zurückgenommen', en: 'Change undone' },
    'ticket-replaced': { de: 'Ticket ersetzt', en: 'Ticket replaced' },
  } satisfies Record<Enums.EmployeeMailKind, Text>,
  joining: {
    roster: { de: 'Die Personalliste entscheidet', en: 'The roster decides' },
    employee: { de: 'Beschäftigte treten selbst bei', en: 'Employees join by themselves' },
    both: { de: 'Personalliste und Beschäftigte', en: 'Both the roster and the employees' },
  } satisfies Record<Enums.JoiningWay, Text>,
  payrollSystem: {
    csv: { de: 'CSV-Datei', en: 'CSV file' },
    'datev-lodas': { de: 'DATEV LODAS', en: 'DATEV LODAS' },
    'datev-lug': { de: 'DATEV Lohn und Gehalt', en: 'DATEV Lohn und Gehalt' },
  } satisfies Record<Enums.PayrollSystem, Text>,
  taxTreatment: {
    'tax-free': { de: 'Steuerfrei (§ 3 Nr. 15 EStG)', en: 'Tax-free (§ 3 Nr. 15 EStG)' },
    'flat-tax': { de: 'Pauschal versteuert (§ 40 Abs. 2 EStG)', en: 'Flat tax (§ 40 Abs. 2 EStG)' },
  } satisfies Record<Enums.TaxTreatment, Text>,
  role: {
    admin: { de: 'Administration', en: 'Admin' },
    hr: { de: 'Personal', en: 'HR' },
    payroll: { de: 'Lohn', en: 'Payroll' },
    developer: { de: 'Entwicklung', en: 'Developer' },
    viewer: { de: 'Lesezugriff', en: 'Viewer' },
  } satisfies Record<Enums.Role, Text>,
  eventType: {
    'employee-subscription-changed': { de: 'Abo geändert', en: 'Subscription changed' },
    'employee-created': { de: 'Beschäftigte/r angelegt', en: 'Employee added' },
    'employee-removed': { de: 'Beschäftigte/r ausgeschieden', en: 'Employee removed' },
    'new-employee-document-generated': { de: 'Dokument verfügbar', en: 'Document available' },
    'tickets-issued': { de: 'Tickets ausgestellt', en: 'Tickets issued' },
    'ticket-differences-found': { de: 'Abweichungen bei Tickets', en: 'Ticket differences found' },
    'billing-items-created': { de: 'Posten erstellt', en: 'Charges created' },
    'sync-finished': { de: 'Abgleich beendet', en: 'Sync finished' },
    'sync-removals-held': { de: 'Abmeldungen warten auf Freigabe', en: 'Removals require approval' },
    'hr-integration-status-changed': { de: 'Status der HR-Integration geändert', en: 'HR integration status changed' },
    'roster-overdue': { de: 'Personalliste überfällig', en: 'Roster overdue' },
    'payroll-export-ready': { de: 'Lohnexport verfügbar', en: 'Payroll export available' },
    'invoice-issued': { de: 'Rechnung ausgestellt', en: 'Invoice issued' },
    'webhook-test': { de: 'Testereignis', en: 'Test event' },
  } satisfies Record<Enums.EventType, Text>,
  deliveryState: {
    pending: { de: 'Ausstehend', en: 'Pending' },
    succeeded: { de: 'Zugestellt', en: 'Delivered' },
    failed: { de: 'Fehlgeschlagen', en: 'Failed' },
  } satisfies Record<Enums.DeliveryState, Text>,
  /** The state of an endpoint, in which the last attempt counts. */
  endpointHealth: {
    enabled: { de: 'Aktiv', en: 'Active' },
    failing: { de: 'Fehlerhaft', en: 'Failing' },
    disabled: { de: 'Deaktiviert', en: 'Disabled' },
  } satisfies Record<Enums.EndpointState | 'failing', Text>,
};
