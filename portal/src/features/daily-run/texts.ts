export const texts = {
  description: {
    de: 'Stellen Sie das Datum vor und sehen Sie heute, was die nächsten Monate bringen.',
    en: 'Advance the clock to see the coming months today.',
  },
  today: { de: 'Aktuelles Datum', en: 'Current date' },
  to: { de: 'Neues Datum', en: 'New date' },
  toHint: {
    de: 'Ein späterer Tag, höchstens {days} Tage von heute.',
    en: 'A later day, at most {days} days from now.',
  },
  nextMonth: { de: 'Nächster Monatserster', en: 'First of next month' },
  inAWeek: { de: 'In einer Woche', en: 'In one week' },
  submit: { de: 'Datum vorstellen', en: 'Advance clock' },
  submitTo: { de: 'Auf den {date} vorstellen', en: 'Advance to {date}' },
  whatTitle: { de: 'Was geschieht', en: 'What happens' },
  what1: {
    de: 'Das Datum dieser Umgebung wird Tag für Tag vorgestellt, für alle Unternehmen darin.',
    en: 'The clock of this environment advances day by day, for all of its companies.',
  },
  what2: {
    de: 'Jeder Tag wird wie gewohnt verarbeitet: Abos beginnen, pausieren und enden, am Monatsersten werden Tickets ausgestellt, Posten und Dokumente werden erstellt.',
    en: 'Each day is processed as usual: subscriptions start, pause and end; tickets are issued on the first of the month; charges and documents are created.',
  },
  what3: {
    de: 'Das Datum kann nicht zurückgestellt werden. In der Produktion gibt es keine Zeitreise.',
    en: 'The clock cannot be set back. Time travel is not available in production.',
  },
  runningTitle: { de: 'Datum wird auf den {date} vorgestellt', en: 'Advancing to {date}' },
  running: {
    de: 'Das Datum ist jetzt der {today}. Das kann eine Minute dauern. Sie können die Seite verlassen.',
    en: 'The date is now {today}. This may take a minute. You can leave the page.',
  },
  progress: { de: 'Verarbeitete Tage', en: 'Days processed' },
  arrivedTitle: { de: 'Das Datum ist jetzt der {date}', en: 'The date is now {date}' },
  arrived: {
    de: 'Alle Tage wurden verarbeitet. Sehen Sie, was sich geändert hat:',
    en: 'All days have been processed. See what has changed:',
  },
  confirmTitle: { de: 'Auf den {date} vorstellen?', en: 'Advance to {date}?' },
  confirmText_one: {
    de: 'Das Datum wird für dieses Unternehmen vorgestellt:',
    en: 'The clock advances for this company:',
  },
  confirmText_other: {
    de: 'Das Datum wird für diese {count} Unternehmen vorgestellt:',
    en: 'The clock advances for these {count} companies:',
  },
  irreversible: { de: 'Das Datum kann nicht zurückgestellt werden.', en: 'The clock cannot be set back.' },
  operatorTitle: {
    de: 'Nur der Betreiber kann hier die Zeitreise nutzen',
    en: 'Only the operator can use time travel here',
  },
  operatorHint: {
    de: 'Die Zeitreise betrifft alle Unternehmen dieser Umgebung. Bitten Sie den Betreiber, das Datum vorzustellen oder die Zeitreise im Portal zu erlauben.',
    en: 'Time travel affects all companies in this environment. Ask the operator to advance the clock or to allow time travel in the portal.',
  },
  productionTitle: { de: 'Nur in der Testumgebung (Staging) verfügbar', en: 'Available in staging only' },
  productionHint: { de: 'Die Produktion läuft in Echtzeit.', en: 'Production runs in real time.' },
} as const;
