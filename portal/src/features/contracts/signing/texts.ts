export const texts = {
  title: { de: 'Ihr Jobticket', en: 'Your transit ticket' },
  hint: {
    de: '{company} bietet Ihnen ein Jobticket an, {name}. Bitte lesen Sie die Vereinbarung und entscheiden Sie.',
    en: '{company} offers you a transit ticket, {name}. Please read the agreement and decide.',
  },
  gone: { de: 'Dieser Link gilt nicht mehr', en: 'This link no longer works' },
  goneHint: {
    de: 'Er ist abgelaufen oder wurde durch einen neuen ersetzt. Bitten Sie Ihre Personalabteilung um einen neuen Link.',
    en: 'It has expired or was replaced by a new one. Ask your HR department for a new link.',
  },
  plan: { de: 'Kostenmodell', en: 'Cost model' },
  amount: { de: 'Sie zahlen im Monat', en: 'You pay per month' },
  'fully-subsidized-plan': { de: 'Nichts', en: 'Nothing' },
  'deferred-plan': { de: 'Den vollen Ticketpreis', en: 'The full ticket price' },
  'split-pay-plan': { de: 'Ihren Anteil', en: 'Your share' },
  fromSalary: {
    de: 'Der Betrag wird für jeden Monat mit Ticket vom Entgelt einbehalten.',
    en: 'It is deducted from your salary for every month with a ticket.',
  },
  read: { de: 'Vereinbarung lesen (PDF)', en: 'Read the agreement (PDF)' },
  accept: { de: 'Zustimmen', en: 'Accept' },
  reject: { de: 'Ablehnen', en: 'Reject' },
  consent: {
    de: 'Wenn Sie zustimmen, gilt die Vereinbarung. Ihr Arbeitgeber wird informiert.',
    en: 'By accepting, you agree to the agreement. Your employer is informed.',
  },
  rejectTitle: { de: 'Vereinbarung ablehnen?', en: 'Reject the agreement?' },
  rejectText: {
    de: 'Sie erhalten dann kein Ticket. Wenn Sie es sich anders überlegen, wenden Sie sich an Ihre Personalabteilung.',
    en: 'You will get no ticket. If you change your mind, contact your HR department.',
  },
  acceptedTitle: { de: 'Sie haben zugestimmt', en: 'You have accepted' },
  acceptedText: {
    de: 'Vielen Dank. Ihre Entscheidung wurde am {time} gespeichert. Alles Weitere erfahren Sie von Ihrem Arbeitgeber.',
    en: 'Thank you. Your decision was recorded on {time}. You will receive further information from your employer.',
  },
  rejectedTitle: { de: 'Sie haben abgelehnt', en: 'You have rejected' },
  rejectedText: {
    de: 'Ihre Entscheidung wurde am {time} gespeichert. Wenn Sie es sich anders überlegen, wenden Sie sich an Ihre Personalabteilung.',
    en: 'Your decision was recorded on {time}. If you change your mind, contact your HR department.',
  },
  decidedTitle: { de: 'Schon entschieden', en: 'Already decided' },
  decidedText: {
    de: 'Über diese Vereinbarung wurde schon entschieden. Fragen Sie Ihre Personalabteilung.',
    en: 'This agreement has already been decided. Your HR department knows more.',
  },
} as const;
