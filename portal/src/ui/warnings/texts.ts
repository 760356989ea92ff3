export const texts = {
  title: { de: 'Bitte prüfen', en: 'Check these entries' },
  intro: {
    de: 'Die Personalliste wird angenommen. Prüfen Sie aber diese Punkte:',
    en: 'The roster is accepted, but check the following:',
  },
  line: { de: 'Zeile {line}', en: 'line {line}' },
  first: { de: 'Erstes Vorkommen: {place}', en: 'First occurrence: {place}' },
  'unknown-field_one': {
    de: 'Unbekanntes Feld {field}, an einer Stelle ignoriert.',
    en: 'Unknown field {field}, ignored in one place.',
  },
  'unknown-field_other': {
    de: 'Unbekanntes Feld {field}, an {count} Stellen ignoriert.',
    en: 'Unknown field {field}, ignored in {count} places.',
  },
  otherFields_one: {
    de: 'Weitere unbekannte Felder, an einer Stelle ignoriert.',
    en: 'Other unknown fields, ignored in one place.',
  },
  otherFields_other: {
    de: 'Weitere unbekannte Felder, an {count} Stellen ignoriert.',
    en: 'Other unknown fields, ignored in {count} places.',
  },
  'left-out_one': {
    de: 'Eine Zeile mit Fehlern wird ausgelassen. Die Person bleibt unverändert.',
    en: 'One row with errors is left out. The employee stays unchanged.',
  },
  'left-out_other': {
    de: '{count} Zeilen mit Fehlern werden ausgelassen. Diese Beschäftigten bleiben unverändert.',
    en: '{count} rows with errors are left out. These employees stay unchanged.',
  },
  'born-in-the-future_one': { de: 'Ein Geburtsdatum liegt in der Zukunft.', en: 'One date of birth is in the future.' },
  'born-in-the-future_other': {
    de: '{count} Geburtsdaten liegen in der Zukunft.',
    en: '{count} dates of birth are in the future.',
  },
  'starts-after-termination_one': {
    de: 'Eine Beschäftigung beginnt nach ihrem Ende.',
    en: 'One employment starts after it ends.',
  },
  'starts-after-termination_other': {
    de: '{count} Beschäftigungen beginnen nach ihrem Ende.',
    en: '{count} employments start after they end.',
  },
  'starts-before-birth_one': {
    de: 'Eine Beschäftigung beginnt vor dem Geburtsdatum.',
    en: 'One employment starts before the date of birth.',
  },
  'starts-before-birth_other': {
    de: '{count} Beschäftigungen beginnen vor dem Geburtsdatum.',
    en: '{count} employments start before the date of birth.',
  },
  'terminated-before-birth_one': {
    de: 'Eine Beschäftigung endet vor dem Geburtsdatum.',
    en: 'One employment ends before the date of birth.',
  },
  'terminated-before-birth_other': {
    de: '{count} Beschäftigungen enden vor dem Geburtsdatum.',
    en: '{count} employments end before the date of birth.',
  },
  record: { de: '{hrId} ({place})', en: '{hrId} ({place})' },
  records: { de: 'Einträge anzeigen', en: 'Show entries' },
  firstRecords: { de: 'Die ersten {shown}:', en: 'The first {shown}:' },
} as const;
