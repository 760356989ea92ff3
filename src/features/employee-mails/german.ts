import type { ChangeMaker, EmployeeMailFormats, EmployeeMailTexts, EmployeeMailValues } from './texts.ts';

/** Says who made a change, as the beginning of a sentence whose verb is `hat` or `haben`. */
const makers: Record<ChangeMaker, string> = {
  employee: 'Sie haben',
  hr: 'Ihre Personalabteilung hat',
  system: 'Das Personalsystem Ihres Unternehmens hat',
  operator: 'Der Betreiber hat für Ihr Unternehmen',
};

const page = (url: string) => ({ label: 'Meine Seite öffnen', url });

/** Only who made a change themselves can undo it on their page. */
const undoOr = (by: ChangeMaker, until: string | null): string[] => {
  if (by !== 'employee') return ['Fragen dazu beantwortet Ihre Personalabteilung.'];
  return until === null ? [] : [`Sie können das bis zum ${until} auf Ihrer Seite rückgängig machen.`];
};

const orNull = <T>(value: T | null, format: (value: T) => string) => (value === null ? null : format(value));

export const german: EmployeeMailTexts = {
  greeting: (name) => `Guten Tag ${name},`,
  answers: (company) => `Fragen? Antworten Sie auf diese E-Mail. Ihre Antwort geht an ${company}.`,
  unsubscribe: {
    what: {
      ticket: 'Möchten Sie keine E-Mails über neue Tickets mehr?',
      invitation: 'Möchten Sie keine Einladungen zum Jobticket mehr?',
    },
    label: 'E-Mails abbestellen',
  },
  kinds: {
    'access-link': ({ url, expiresAt }, { company }, { time }) => ({
      subject: 'Ihr Link zum Jobticket',
      paragraphs: [`Mit diesem Link öffnen Sie Ihre Seite zum Jobticket von ${company}.`],
      action: page(url),
      notes: [
        `Der Link funktioniert einmal, bis zum ${time(expiresAt)}. Geben Sie ihn nicht weiter.`,
        'Wenn Sie keinen Link angefordert haben, ignorieren Sie diese E-Mail.',
      ],
    }),
    invitation: ({ token, expiresAt, employeeCents, companyCents }, { company, pageUrl }, { time, money }) => ({
      subject: `Ihr Jobticket von ${company}`,
      paragraphs: [
        `${company} bietet Ihnen ein Jobticket für den öffentlichen Nahverkehr an.`,
        employeeCents === 0
          ? `${company} bezahlt das Ticket. Sie zahlen nichts.`
          : `Sie zahlen ${money(employeeCents)} im Monat${companyCents === 0 ? '' : `, ${company} zahlt ${money(companyCents)}`}.`,
      ],
      action: { label: 'Angebot ansehen', url: `${pageUrl}/invitation#${token}` },
      notes: [`Der Link gilt nur für Sie, bis zum ${time(expiresAt)}. Geben Sie ihn nicht weiter.`],
    }),
    'invitation-reminder': ({ token, expiresAt, employeeCents }, { company, pageUrl }, { time, money }) => ({
      subject: `Erinnerung: Ihr Jobticket von ${company}`,
      paragraphs: [
        `Das Angebot von ${company} für ein Jobticket gilt noch.`,
        employeeCents === 0 ? 'Das Ticket kostet Sie nichts.' : `Sie zahlen ${money(employeeCents)} im Monat.`,
      ],
      action: { label: 'Angebot ansehen', url: `${pageUrl}/invitation#${token}` },
      notes: [`Der Link gilt nur für Sie, bis zum ${time(expiresAt)}. Geben Sie ihn nicht weiter.`],
    }),
    welcome: ({ by, firstTicket, firstDeduction, undoUntil }, { company, pageUrl }, { day, month }) => ({
      subject: `Ihr Jobticket ab ${month(firstTicket)}`,
      paragraphs: [
        `${makers[by]} das Jobticket von ${company} bestellt.`,
        `Erstes Ticket: ${month(firstTicket)}.${firstDeduction === null ? ' Sie zahlen nichts.' : ` Erster Abzug vom Gehalt: ${month(firstDeduction)}.`}`,
        ...undoOr(by, orNull(undoUntil, day)),
      ],
      action: page(pageUrl),
      notes: [],
    }),
    ticket: ({ month: of }, { company, pageUrl }, { month, monthName }) => ({
      subject: `Ihr Ticket für ${monthName(of)}`,
      paragraphs: [
        `Ihr Jobticket von ${company} für ${month(of)} ist da.`,
        'Öffnen Sie es einmal mit Internet. Danach zeigt Ihr Handy es auch ohne Netz.',
      ],
      action: { label: 'Ticket öffnen', url: pageUrl },
      notes: [],
    }),
    agreement: (values, { company, pageUrl }, formats) => ({
      subject: 'Ihre Vereinbarung über das Jobticket ändert sich',
      paragraphs: [
        `Ihr Anteil am Jobticket von ${company} soll sich ändern: ${newShare(values, formats)}`,
        'Dafür ist Ihre Zustimmung nötig. Lesen Sie die Vereinbarung, und entscheiden Sie.',
        withoutAnswer(values, formats),
      ],
      action: { label: 'Vereinbarung lesen', url: pageUrl },
      notes: [],
    }),
    'agreement-reminder': (values, { company, pageUrl }, formats) => ({
      subject: `Erinnerung: Ihre Zustimmung bis zum ${formats.day(values.acceptUntil)}`,
      paragraphs: [
        `Ihre Entscheidung über den neuen Anteil am Jobticket von ${company} fehlt noch: ${newShare(values, formats)}`,
        withoutAnswer(values, formats),
      ],
      action: { label: 'Vereinbarung lesen', url: pageUrl },
      notes: [],
    }),
    'plan-changed': (values, { company, pageUrl }, formats) => ({
      subject: `Ihr Anteil am Jobticket ab ${formats.month(values.from)}`,
      paragraphs: [
        `${company} ändert das Kostenmodell Ihres Jobtickets: ${newShare(values, formats)}`,
        'Sie müssen nichts tun.',
      ],
      action: page(pageUrl),
      notes: [],
    }),
    'price-changed': (values, { company, pageUrl }, formats) => ({
      subject: `Ihr Jobticket kostet ab ${formats.month(values.from)} ${formats.money(values.employeeCents)}`,
      paragraphs: [
        `Der Preis des Jobtickets von ${company} ändert sich. Nach Ihrer Vereinbarung zahlen Sie den ganzen Preis: ${newShare(values, formats)}`,
        'Sie müssen nichts tun. Auf Ihrer Seite können Sie pausieren oder kündigen.',
      ],
      action: page(pageUrl),
      notes: [],
    }),
    'pause-confirmed': (
      { by, from, nextTicket, lastTicket, lastDeduction, undoUntil },
      { company, pageUrl },
      { day, month },
    ) => ({
      subject: `Ihr Jobticket pausiert ab ${month(from)}`,
      paragraphs: [
        `${makers[by]} das Jobticket von ${company} ab ${month(from)} pausiert.`,
        ...lastOnes(orNull(lastTicket, month), orNull(lastDeduction, month)),
        nextTicket === null ? 'Die Pause hat kein festes Ende.' : `Das nächste Ticket gilt für ${month(nextTicket)}.`,
        ...undoOr(by, orNull(undoUntil, day)),
      ],
      action: page(pageUrl),
      notes: [],
    }),
    'resumption-confirmed': ({ by, nextTicket, nextDeduction, undoUntil }, { company, pageUrl }, { day, month }) => ({
      subject: `Ihr Jobticket läuft ab ${month(nextTicket)} weiter`,
      paragraphs: [
        `${makers[by]} die Pause des Jobtickets von ${company} beendet.`,
        `Nächstes Ticket: ${month(nextTicket)}.${nextDeduction === null ? ' Sie zahlen nichts.' : ` Nächster Abzug vom Gehalt: ${month(nextDeduction)}.`}`,
        ...undoOr(by, orNull(undoUntil, day)),
      ],
      action: page(pageUrl),
      notes: [],
    }),
    'cancellation-confirmed': ({ by, lastTicket, lastDeduction, undoUntil }, { company, pageUrl }, { day, month }) => ({
      subject: 'Ihr Jobticket endet',
      paragraphs: [
        `${makers[by]} das Jobticket von ${company} gekündigt.`,
        ...lastOnes(orNull(lastTicket, month), orNull(lastDeduction, month)),
        ...undoOr(by, orNull(undoUntil, day)),
      ],
      action: page(pageUrl),
      notes: [],
    }),
    'undo-confirmed': ({ by, action, nextTicket }, { company, pageUrl }, { month }) => ({
      subject: `${undone[action].subject} ist zurückgenommen`,
      paragraphs: [
        `${makers[by]} ${undone[action].object} des Jobtickets von ${company} zurückgenommen.`,
        nextTicket === null
          ? 'Sie bekommen kein weiteres Ticket.'
          : `Das nächste Ticket gilt für ${month(nextTicket)}.`,
        ...undoOr(by, null),
      ],
      action: page(pageUrl),
      notes: [],
    }),
    'ticket-replaced': ({ by, month: of, reason }, { company, pageUrl }, { month, monthName }) => ({
      subject: `Ihr neues Ticket für ${monthName(of)}`,
      paragraphs: [
        `${makers[by]} das Ticket von ${company} für ${month(of)} ersetzt.${reasons[reason]}`,
        'Benutzen Sie ab jetzt nur noch das neue Ticket.',
      ],
      action: { label: 'Ticket öffnen', url: pageUrl },
      notes: by === 'employee' ? ['Wenn Sie das nicht waren, melden Sie sich bei Ihrer Personalabteilung.'] : [],
    }),
  },
};

type Formats = EmployeeMailFormats;

function newShare(
  { from, oldCents, employeeCents }: { from: string; oldCents: number; employeeCents: number },
  { month, money }: Formats,
): string {
  if (oldCents === employeeCents) return `Ab ${month(from)} zahlen Sie weiterhin ${money(employeeCents)} im Monat.`;
  return `Ab ${month(from)} zahlen Sie ${money(employeeCents)} statt ${money(oldCents)} im Monat.`;
}

function withoutAnswer(
  { acceptUntil, noAnswer, noAnswerFrom, oldCents }: EmployeeMailValues['agreement'],
  { day, month, money }: Formats,
): string {
  const until = `Ohne Ihre Zustimmung bis zum ${day(acceptUntil)}`;
  if (noAnswer === 'keep') return `${until} zahlen Sie weiterhin ${money(oldCents)} im Monat.`;
  return `${until} ${noAnswer === 'pause' ? 'pausiert Ihr Jobticket' : 'gibt es kein Jobticket mehr'} ab ${month(noAnswerFrom)}.`;
}

function lastOnes(ticket: string | null, deduction: string | null): string[] {
  const texts = [
    ticket === null ? 'Sie bekommen kein weiteres Ticket.' : `Letztes Ticket: ${ticket}.`,
    ...(deduction === null ? [] : [`Letzter Abzug vom Gehalt: ${deduction}.`]),
  ];
  return [texts.join(' ')];
}

const undone = {
  subscribe: { subject: 'Ihre Bestellung', object: 'die Bestellung' },
  pause: { subject: 'Ihre Pause', object: 'die Pause' },
  resume: { subject: 'Das Ende Ihrer Pause', object: 'das Ende der Pause' },
  cancel: { subject: 'Ihre Kündigung', object: 'die Kündigung' },
};

const reasons = {
  unreadable: ' Der Grund: Der Code war nicht lesbar.',
  'new-phone': ' Der Grund: ein neues Handy.',
  other: '',
};
