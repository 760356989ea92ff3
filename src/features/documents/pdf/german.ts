/** All texts of documents. Amounts and dates are passed in already formatted. */
export const german = {
  language: 'de' as 'de' | 'en',
  names: {
    'subscription-confirmation': 'Abo-Bestätigung',
    'contribution-agreement': 'Beitragsvereinbarung',
    'ticket-confirmation': 'Ticket-Bestätigung',
    'cancellation-confirmation': 'Bestätigung: Ende des Jobtickets',
  },
  plans: {
    'fully-subsidized-plan': 'Volle Übernahme durch den Arbeitgeber',
    'deferred-plan': 'Zahlung über die Entgeltabrechnung',
    'split-pay-plan': 'Geteilte Kosten',
  },
  contributions: {
    'fully-subsidized-plan': (_amount: string) => 'Keiner',
    'deferred-plan': (_amount: string) => 'Ticketpreis in voller Höhe',
    'split-pay-plan': (amount: string) => `${amount} im Monat`,
  },
  labels: {
    date: 'Datum',
    number: 'Dokumentnummer',
    employer: 'Arbeitgeber',
    employee: 'Beschäftigte Person',
    plan: 'Kostenmodell',
    contribution: 'Ihr Anteil',
    /** The same label, for texts that are not addressed to the employee alone. */
    agreedContribution: 'Eigenanteil',
    startsOn: 'Beginn',
    term: 'Laufzeit',
    firstMonth: 'Erster Monat',
    agreedOn: 'Vereinbart am',
    lastDayToChange: 'Änderungen möglich bis',
    ticketId: 'Ticketnummer',
    validity: 'Gültigkeit',
    lastDay: 'Letzter Tag des Abos',
    lastDeduction: 'Letzter Abzug',
    confirmedOn: 'Bestätigt am',
    net: 'Nettopreis',
    tax: 'MwSt. 7\u00a0%',
    gross: 'Ticketpreis',
    companyShare: 'davon Anteil des Arbeitgebers',
    employeeShare: 'davon Ihr Anteil',
  },
  salutation: (name: string) => `Guten Tag ${name},`,
  regards: 'Freundliche Grüße',
  subscription: {
    intro: (startsOn: string) =>
      `schön, dass Sie dabei sind: Ihr Jobticket ist eingerichtet und beginnt am ${startsOn}.`,
    openTerm: 'Unbefristet, von Monat zu Monat',
    fixedTerm: (lastDay: string) => `Befristet bis zum ${lastDay}`,
    closing: [
      'Ihr Ticket wird zum Ersten jedes Monats ausgestellt. Sie müssen dafür nichts weiter tun.',
      'Pausen und Beendigungen werden immer zum Monatsende wirksam. Bis wann Sie sich melden müssen, erfahren Sie von Ihrer Personalabteilung.',
    ],
  },
  agreement: {
    /** Printed instead of the first month. */
    startUnknown: 'Steht noch nicht fest',
    /** Printed instead of the first month of an agreement that is offered. */
    startAfterConsent: (earliest: string | null) =>
      `Der Monat nach der Zustimmung${earliest === null ? '' : `, frühestens ${earliest}`}`,
    lastDayToChange: (day: number) => `${day}. eines Monats, für den Folgemonat`,
    intro: 'Arbeitgeber und beschäftigte Person haben für das Jobticket Folgendes vereinbart.',
    terms: {
      'fully-subsidized-plan': [
        'Der Arbeitgeber trägt den Ticketpreis in voller Höhe. Vom Entgelt wird nichts einbehalten.',
        'Die Vereinbarung beginnt mit dem ersten Ticket und endet mit dem Abo.',
      ],
      'deferred-plan': [
        'Der Arbeitgeber legt den Ticketpreis aus und behält ihn bei der Entgeltabrechnung in voller Höhe ein.',
        'Ändert sich der Ticketpreis, ändert sich der einbehaltene Betrag entsprechend.',
        'Für Monate ohne Ticket, etwa während einer Pause, wird nichts einbehalten.',
        'Die Vereinbarung beginnt mit dem ersten Ticket und endet mit dem Abo.',
      ],
      'split-pay-plan': [
        'Der Eigenanteil wird für jeden Monat mit Ticket bei der Entgeltabrechnung einbehalten, höchstens jedoch der Ticketpreis.',
        'Den übrigen Ticketpreis trägt der Arbeitgeber. Ändert sich der Ticketpreis, ändert sich der Anteil des Arbeitgebers entsprechend.',
        'Für Monate ohne Ticket, etwa während einer Pause, wird nichts einbehalten.',
        'Die Vereinbarung beginnt mit dem ersten Ticket und endet mit dem Abo.',
      ],
    },
    closing: {
      electronically: (agreedOn: string) =>
        `Die beschäftigte Person hat der Vereinbarung am ${agreedOn} elektronisch zugestimmt.`,
      'on-paper': (agreedOn: string) =>
        `Die beschäftigte Person hat der Vereinbarung am ${agreedOn} auf Papier zugestimmt.`,
    },
    /** If it is not known how the employee accepted it. */
    recorded: 'Der Arbeitgeber hat die Zustimmung der beschäftigten Person erfasst.',
    recordedBy: (on: string, name: string | null) =>
      `Die Zustimmung wurde am ${on} ${name === null ? 'vom Arbeitgeber' : `von ${name}`} erfasst.`,
    /** Of an agreement that the employee has not accepted yet. */
    offer: {
      intro: 'Der Arbeitgeber bietet der beschäftigten Person für das Jobticket folgende Vereinbarung an.',
      closing: 'Die Vereinbarung gilt, sobald die beschäftigte Person ihr zugestimmt hat.',
    },
  },
  ticket: {
    intro: (month: string) => `für ${month} wurde ein Ticket auf Ihren Namen ausgestellt.`,
    payment: {
      'fully-subsidized-plan': 'Ihr Arbeitgeber trägt den Ticketpreis. Für Sie fallen keine Kosten an.',
      'deferred-plan': 'Ihr Arbeitgeber legt den Ticketpreis aus und behält ihn bei Ihrer Entgeltabrechnung ein.',
      'split-pay-plan': 'Ihr Anteil wird bei Ihrer Entgeltabrechnung einbehalten.',
    },
    closing: 'Dieses Dokument ist kein Fahrausweis. Zeigen Sie bei einer Kontrolle bitte das Ticket selbst vor.',
  },
  cancellation: {
    intro: 'hiermit bestätigen wir das Ende Ihres Abos für das Jobticket.',
    closing: [
      'Danach werden keine Tickets mehr ausgestellt und keine Beträge mehr einbehalten.',
      'Möchten Sie später wieder einsteigen? Ein neues Abo kann an jedem Monatsersten beginnen.',
    ],
    neverStarted: {
      intro: 'hiermit bestätigen wir, dass Ihr Abo für das Jobticket vor Beginn storniert wurde.',
      closing: [
        'Für dieses Abo werden keine Tickets ausgestellt und keine Beträge einbehalten.',
        'Möchten Sie später doch einsteigen? Ein neues Abo kann an jedem Monatsersten beginnen.',
      ],
    },
  },
  footer: {
    issuer: (company: string) => `Transit Benefits im Auftrag von ${company}`,
    note: 'Elektronisch erstellt, ohne Unterschrift.',
    page: 'Seite 1 von 1',
  },
};

export type Texts = typeof german;
