import type { Translation } from '../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Bitte prüfen',
  intro: 'Die Personalliste wird angenommen. Prüfen Sie aber diese Punkte:',
  line: 'Zeile {line}',
  first: 'Erstes Vorkommen: {place}',
  unknownField_one: 'Unbekanntes Feld {field}, an einer Stelle ignoriert.',
  unknownField_other: 'Unbekanntes Feld {field}, an {count} Stellen ignoriert.',
  otherFields_one: 'Weitere unbekannte Felder, an einer Stelle ignoriert.',
  otherFields_other: 'Weitere unbekannte Felder, an {count} Stellen ignoriert.',
  leftOut_one: 'Eine Zeile mit Fehlern wird ausgelassen. Die Person bleibt unverändert.',
  leftOut_other: '{count} Zeilen mit Fehlern werden ausgelassen. Diese Beschäftigten bleiben unverändert.',
  bornInTheFuture_one: 'Ein Geburtsdatum liegt in der Zukunft.',
  bornInTheFuture_other: '{count} Geburtsdaten liegen in der Zukunft.',
  startsAfterTermination_one: 'Eine Beschäftigung beginnt nach ihrem Ende.',
  startsAfterTermination_other: '{count} Beschäftigungen beginnen nach ihrem Ende.',
  startsBeforeBirth_one: 'Eine Beschäftigung beginnt vor dem Geburtsdatum.',
  startsBeforeBirth_other: '{count} Beschäftigungen beginnen vor dem Geburtsdatum.',
  terminatedBeforeBirth_one: 'Eine Beschäftigung endet vor dem Geburtsdatum.',
  terminatedBeforeBirth_other: '{count} Beschäftigungen enden vor dem Geburtsdatum.',
  record: '{hrId} ({place})',
  records: 'Einträge anzeigen',
  firstRecords: 'Die ersten {shown}:',
};
