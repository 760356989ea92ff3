import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Bitte prüfen',
  intro: 'Die Liste lässt sich so anwenden, aber das ist vermutlich nicht gewollt:',
  line: 'Zeile {line}',
  first: 'zuerst bei {place}',
  unknownField_one: 'Das Feld {field} ist nicht bekannt und wurde an einer Stelle übergangen.',
  unknownField_other: 'Das Feld {field} ist nicht bekannt und wurde an {count} Stellen übergangen.',
  otherFields_one: 'Ein weiteres unbekanntes Feld wurde übergangen.',
  otherFields_other: 'Weitere unbekannte Felder wurden an {count} Stellen übergangen.',
  bornInTheFuture_one: 'Ein Geburtsdatum liegt in der Zukunft.',
  bornInTheFuture_other: '{count} Geburtsdaten liegen in der Zukunft.',
  startsAfterTermination_one: 'Eine Beschäftigung beginnt nach ihrem Ende.',
  startsAfterTermination_other: '{count} Beschäftigungen beginnen nach ihrem Ende.',
  startsBeforeBirth_one: 'Eine Beschäftigung beginnt vor dem Geburtsdatum.',
  startsBeforeBirth_other: '{count} Beschäftigungen beginnen vor dem Geburtsdatum.',
  terminatedBeforeBirth_one: 'Eine Beschäftigung endet vor dem Geburtsdatum.',
  terminatedBeforeBirth_other: '{count} Beschäftigungen enden vor dem Geburtsdatum.',
  record: '{hrId} ({place})',
  records: 'Zeigen, welche',
  firstRecords: 'Die ersten {shown}:',
};
