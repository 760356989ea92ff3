type Pairs<Name extends string> = Readonly<Record<Name, readonly [german: string, english: string]>>;

/** Returns one language of texts that stand side by side. */
export const pickTexts = <Name extends string>(pairs: Pairs<Name>, language: 'de' | 'en') =>
  Object.fromEntries(
    Object.entries<Pairs<Name>[Name]>(pairs).map(([name, pair]) => [name, pair[language === 'de' ? 0 : 1]]),
  ) as Record<Name, string>;

/** All texts of documents. Amounts and dates are passed in already formatted. */
const names = {
  'subscription-confirmation': ['Abo-Bestätigung', 'Subscription confirmation'],
  'contribution-agreement': ['Beitragsvereinbarung', 'Contribution agreement'],
  'ticket-confirmation': ['Ticket-Bestätigung', 'Ticket confirmation'],
  'cancellation-confirmation': ['Bestätigung: Ende des Jobtickets', 'Cancellation confirmation'],
  'yearly-statement': ['Jahresaufstellung zum Jobticket', 'Yearly statement of your job ticket'],
} as const;

const plans = {
  'fully-subsidized-plan': ['Volle Übernahme durch den Arbeitgeber', 'Paid in full by the employer'],
  'deferred-plan': ['Zahlung über die Entgeltabrechnung', 'Paid through payroll'],
  'split-pay-plan': ['Geteilte Kosten', 'Shared costs'],
} as const;

const labels = {
  date: ['Datum', 'Date'],
  number: ['Dokumentnummer', 'Document number'],
  employer: ['Arbeitgeber', 'Employer'],
  employee: ['Ihr Name', 'Your name'],
  plan: ['Kostenmodell', 'Cost model'],
  contribution: ['Ihr Anteil', 'Your share'],
  startsOn: ['Beginn', 'Start'],
  term: ['Laufzeit', 'Term'],
  firstMonth: ['Erster Monat', 'First month'],
  agreedOn: ['Vereinbart am', 'Agreed on'],
  lastDayToChange: ['Änderungen möglich bis', 'Changes possible until'],
  ticketId: ['Ticketnummer', 'Ticket number'],
  validity: ['Gültigkeit', 'Validity'],
  lastDay: ['Letzter Tag des Abos', 'Last day of the subscription'],
  lastDeduction: ['Letzter Abzug', 'Last deduction'],
  confirmedOn: ['Bestätigt am', 'Confirmed on'],
  net: ['Nettopreis', 'Net price'],
  tax: ['MwSt. 7\u00a0%', 'VAT 7%'],
  gross: ['Ticketpreis', 'Ticket price'],
  companyShare: ['davon Anteil des Arbeitgebers', 'Employer’s share'],
  employeeShare: ['davon Ihr Anteil', 'Your share'],
  valuation: ['Bewertung des Zuschusses', 'Valuation of the benefit'],
  replaces: ['Ersetzt', 'Replaces'],
  month: ['Monat', 'Month'],
  price: ['Ticketpreis', 'Ticket price'],
  own: ['Ihr Anteil', 'Your share'],
  taxFree: ['Steuerfrei', 'Tax-free'],
  flatTax: ['Pauschal', 'Flat-taxed'],
  sum: ['Summe', 'Total'],
  line17: ['Zeile 17 der Lohnsteuerbescheinigung', 'Line 17 of the wage-tax certificate'],
  flatTaxed: ['Pauschal besteuert (§ 40 Abs. 2 EStG)', 'Flat-taxed (§ 40 Abs. 2 EStG)'],
} as const;

const german = {
  language: 'de' as 'de' | 'en',
  names: pickTexts(names, 'de'),
  plans: pickTexts(plans, 'de'),
  contributions: {
    'fully-subsidized-plan': (_amount: string) => 'Keiner',
    'deferred-plan': (_amount: string) => 'Ticketpreis in voller Höhe',
    'split-pay-plan': (amount: string) => `${amount} im Monat`,
  },
  labels: pickTexts(labels, 'de'),
  salutation: (name: string) => `Guten Tag ${name},`,
  regards: 'Freundliche Grüße',
  subscription: {
    intro: (startsOn: string) =>
      `schön, dass Sie dabei sind: Ihr Jobticket ist eingerichtet und beginnt am ${startsOn}.`,
    openTerm: 'Unbefristet, von Monat zu Monat',
    fixedTerm: (lastDay: string) => `Befristet bis zum ${lastDay}`,
    closing: ['Ihr Ticket wird zum Ersten jedes Monats ausgestellt. Sie müssen dafür nichts weiter tun.'],
    cutOff: (day: number) =>
      `Pausen und Beendigungen werden immer zum Monatsende wirksam. Melden Sie sich dafür bis zum ${day}. des Monats bei Ihrer Personalabteilung, sonst wirken sie einen Monat später.`,
    /** If the day is not known. */
    askForCutOff:
      'Pausen und Beendigungen werden immer zum Monatsende wirksam. Bis wann Sie sich melden müssen, erfahren Sie von Ihrer Personalabteilung.',
  },
  agreement: {
    /** Printed instead of the first month. */
    startUnknown: 'Steht noch nicht fest',
    /** Printed instead of the first month of an agreement that is offered. */
    startAfterConsent: (earliest: string | null) =>
      `Der Monat nach Ihrer Zustimmung${earliest === null ? '' : `, frühestens ${earliest}`}`,
    lastDayToChange: (day: number) => `${day}. eines Monats, für den Folgemonat`,
    intro: 'Sie und Ihr Arbeitgeber haben für das Jobticket Folgendes vereinbart.',
    terms: {
      'fully-subsidized-plan': [
        'Ihr Arbeitgeber trägt den Ticketpreis in voller Höhe. Von Ihrem Entgelt wird nichts einbehalten.',
        'Die Vereinbarung beginnt mit dem ersten Ticket und endet mit dem Abo.',
      ],
      'deferred-plan': [
        'Ihr Arbeitgeber legt den Ticketpreis aus und behält ihn bei Ihrer Entgeltabrechnung in voller Höhe ein.',
        'Ändert sich der Ticketpreis, ändert sich der einbehaltene Betrag entsprechend.',
        'Für Monate ohne Ticket, etwa während einer Pause, wird nichts einbehalten.',
        'Die Vereinbarung beginnt mit dem ersten Ticket und endet mit dem Abo.',
      ],
      'split-pay-plan': [
        'Ihr Anteil wird für jeden Monat mit Ticket bei Ihrer Entgeltabrechnung einbehalten, höchstens jedoch der Ticketpreis.',
        'Den übrigen Ticketpreis trägt Ihr Arbeitgeber. Ändert sich der Ticketpreis, ändert sich der Anteil Ihres Arbeitgebers entsprechend.',
        'Für Monate ohne Ticket, etwa während einer Pause, wird nichts einbehalten.',
        'Die Vereinbarung beginnt mit dem ersten Ticket und endet mit dem Abo.',
      ],
    },
    closing: {
      electronically: (agreedOn: string) => `Sie haben der Vereinbarung am ${agreedOn} elektronisch zugestimmt.`,
      'on-paper': (agreedOn: string) => `Sie haben der Vereinbarung am ${agreedOn} auf Papier zugestimmt.`,
    },
    /** If it is not known how the employee accepted it. */
    recorded: 'Ihr Arbeitgeber hat Ihre Zustimmung erfasst.',
    recordedBy: (on: string, name: string | null) =>
      `Ihre Zustimmung wurde am ${on} ${name === null ? 'von Ihrem Arbeitgeber' : `von ${name}`} erfasst.`,
    /** Of an agreement that the employee has not accepted yet. */
    offer: {
      intro: 'Ihr Arbeitgeber bietet Ihnen für das Jobticket folgende Vereinbarung an.',
      closing: 'Die Vereinbarung gilt, sobald Sie ihr zugestimmt haben.',
    },
  },
  ticket: {
    intro: (month: string) => `für ${month} wurde ein Ticket auf Ihren Namen ausgestellt.`,
    payment: {
      'fully-subsidized-plan': 'Ihr Arbeitgeber trägt den Ticketpreis. Für Sie fallen keine Kosten an.',
      'deferred-plan': 'Ihr Arbeitgeber legt den Ticketpreis aus und behält ihn bei Ihrer Entgeltabrechnung ein.',
      'split-pay-plan': 'Ihr Anteil wird bei Ihrer Entgeltabrechnung einbehalten.',
    },
    code: (on: string) =>
      `Ticketcode, Stand ${on}. Wird das Ticket gesperrt oder ersetzt, gilt er nicht mehr: Den aktuellen zeigt Ihre Ticketseite.`,
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
  statement: {
    intro: (year: string, until: string) =>
      `das haben Ihr Arbeitgeber und Sie ${year} für Ihr Jobticket gezahlt, mit allen Korrekturen bis zum ${until}.`,
    valuation: (percent: number) => `${percent} % des Ticketpreises, abzüglich Ihres Anteils`,
    replaces: (number: string, madeOn: string) => `${number} vom ${madeOn}`,
    taxFree:
      'Der steuerfreie Zuschuss (§ 3 Nr. 15 EStG) mindert Ihre Entfernungspauschale. Ihr Arbeitgeber trägt ihn in Zeile 17 Ihrer Lohnsteuerbescheinigung ein.',
    flatTax:
      'Pauschal besteuerte Zuschüsse gehören nicht in Zeile 17. Mit 15 % besteuerte mindern Ihre Entfernungspauschale und stehen in Zeile 18, mit 25 % besteuerte nicht.',
    closing:
      'Für Ihre Steuererklärung gilt die Lohnsteuerbescheinigung. Bei Abweichungen fragen Sie Ihre Lohnabrechnung.',
  },
  footer: {
    issuer: (company: string) => `Transit Benefits im Auftrag von ${company}`,
    note: 'Elektronisch erstellt, ohne Unterschrift.',
    page: 'Seite 1 von 1',
  },
};

type Texts = typeof german;

const english: Texts = {
  language: 'en',
  names: pickTexts(names, 'en'),
  plans: pickTexts(plans, 'en'),
  contributions: {
    'fully-subsidized-plan': () => 'None',
    'deferred-plan': () => 'Full ticket price',
    'split-pay-plan': (amount) => `${amount} per month`,
  },
  labels: pickTexts(labels, 'en'),
  salutation: (name) => `Dear ${name},`,
  regards: 'Kind regards',
  subscription: {
    intro: (startsOn) => `Welcome aboard! Your job ticket is set up and starts on ${startsOn}.`,
    openTerm: 'Open-ended, month to month',
    fixedTerm: (lastDay) => `Fixed term until ${lastDay}`,
    closing: ['Your ticket is issued on the first of every month. You do not need to do anything else.'],
    cutOff: (day) =>
      `Pauses and cancellations always take effect at the end of a month. Contact your HR department by day ${day} of that month; otherwise they take effect a month later.`,
    askForCutOff:
      'Pauses and cancellations always take effect at the end of a month. Your HR department can tell you the deadline for requests.',
  },
  agreement: {
    startUnknown: 'To be confirmed',
    startAfterConsent: (earliest) =>
      `The month after you agree${earliest === null ? '' : `, ${earliest} at the earliest`}`,
    lastDayToChange: (day) => `Day ${day} of a month, for the next month`,
    intro: 'You and your employer have agreed on the following terms for the job ticket.',
    terms: {
      'fully-subsidized-plan': [
        'Your employer pays the full ticket price. Nothing is deducted from your salary.',
        'This agreement starts with the first ticket and ends with the subscription.',
      ],
      'deferred-plan': [
        'Your employer advances the ticket price and deducts it in full from your salary.',
        'If the ticket price changes, the amount deducted changes accordingly.',
        'Nothing is deducted for months without a ticket, for example during a pause.',
        'This agreement starts with the first ticket and ends with the subscription.',
      ],
      'split-pay-plan': [
        'Your share is deducted from your salary for every month with a ticket. It never exceeds the ticket price.',
        'Your employer pays the rest of the ticket price. If the ticket price changes, the employer’s share changes accordingly.',
        'Nothing is deducted for months without a ticket, for example during a pause.',
        'This agreement starts with the first ticket and ends with the subscription.',
      ],
    },
    closing: {
      electronically: (agreedOn) => `You accepted this agreement electronically on ${agreedOn}.`,
      'on-paper': (agreedOn) => `You accepted this agreement on paper on ${agreedOn}.`,
    },
    recorded: 'Your employer has recorded your consent.',
    recordedBy: (on, name) => `Your consent was recorded on ${on} by ${name ?? 'your employer'}.`,
    offer: {
      intro: 'Your employer offers you the following terms for the job ticket.',
      closing: 'This agreement applies once you have accepted it.',
    },
  },
  ticket: {
    intro: (month) => `A ticket for ${month} has been issued in your name.`,
    payment: {
      'fully-subsidized-plan': 'Your employer pays the ticket price. You pay nothing.',
      'deferred-plan': 'Your employer advances the ticket price and deducts it from your salary.',
      'split-pay-plan': 'Your share is deducted from your salary.',
    },
    code: (on) =>
      `Ticket code as of ${on}. If the ticket is blocked or replaced, it is no longer valid: your ticket page shows the current one.`,
    closing: 'This document is not valid for travel. During ticket inspections, please show the ticket itself.',
  },
  cancellation: {
    intro: 'We confirm the end of your job ticket subscription.',
    closing: [
      'After that day, no more tickets are issued and nothing more is deducted.',
      'If you would like to come back later, a new subscription can start on the first of any month.',
    ],
    neverStarted: {
      intro: 'We confirm that your job ticket subscription was cancelled before it started.',
      closing: [
        'No tickets are issued for this subscription and nothing is deducted.',
        'If you change your mind, a new subscription can start on the first of any month.',
      ],
    },
  },
  statement: {
    intro: (year, until) =>
      `This is what your employer and you paid for your job ticket in ${year}, with all corrections until ${until}.`,
    valuation: (percent) => `${percent}% of the ticket price, less your share`,
    replaces: (number, madeOn) => `${number} of ${madeOn}`,
    taxFree:
      'The tax-free benefit (§ 3 Nr. 15 EStG) reduces your commuting allowance. Your employer reports it in line 17 of your wage-tax certificate.',
    flatTax:
      'Flat-taxed benefits do not belong in line 17. Those taxed at 15% reduce your commuting allowance and are reported in line 18; those taxed at 25% are not.',
    closing:
      'Your tax return goes by the wage-tax certificate. If it differs from this statement, ask your payroll department.',
  },
  footer: {
    issuer: (company) => `Transit Benefits on behalf of ${company}`,
    note: 'Issued electronically without a signature.',
    page: 'Page 1 of 1',
  },
};

/** The wording for a company: the texts, and dates in the language of the texts, formatted for the company's region. */
export interface Wording {
  texts: Texts;
  day(date: string): string;
  month(date: string): string;
  /** Formats a range of days, both included. */
  days(from: string, until: string): string;
}

const wordings = new Map<string, Wording>();

/** Returns German texts for companies whose language is German, and English texts for all others. */
const textsFor = (locale: string): Texts => (new Intl.Locale(locale).language === 'de' ? german : english);

const dayOf = (date: string) => Temporal.PlainDate.from(date);

function createWording(locale: string): Wording {
  const texts = textsFor(locale);
  const { region } = new Intl.Locale(locale);
  // A French company gets English documents, and an English sentence must not contain a French month.
  const place = region === undefined ? texts.language : `${texts.language}-${region}`;
  const days = new Intl.DateTimeFormat(place, { dateStyle: 'long', calendar: 'gregory' });
  const months = new Intl.DateTimeFormat(place, { month: 'long', year: 'numeric', calendar: 'gregory' });
  return {
    texts,
    day: (date) => days.format(dayOf(date)),
    month: (date) => months.format(dayOf(date)),
    days: (from, until) => days.formatRange(dayOf(from), dayOf(until)),
  };
}

export const wordingFor = (locale: string): Wording => wordings.getOrInsertComputed(locale, createWording);
