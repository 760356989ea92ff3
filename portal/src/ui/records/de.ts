import type { Translation } from '../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  reactivated_one: 'Eine Person, die ausscheidet oder abgemeldet ist, würde wieder aufgenommen.',
  reactivated_other: '{count} Personen, die ausscheiden oder abgemeldet sind, würden wieder aufgenommen.',
  reactivateTitle: 'Personen wieder aufnehmen?',
  reactivateConfirm: 'Wieder aufnehmen',
  newFees_one: 'Diese Personalliste verknüpft eine weitere Person. Das kostet {perMonth} zzgl. USt. im Monat.',
  newFees_other:
    'Diese Personalliste verknüpft {count} weitere Personen. Das kostet {perMonth} zzgl. USt. im Monat (je {perEmployee}). Wer schon über eine andere Integration verknüpft ist, kostet nichts zusätzlich.',
  hrSystem: 'Laut HR-System',
  created: 'Angelegt',
  updated: 'Geändert',
  unchanged: 'Unverändert',
  offboarded: 'Abgemeldet',
  held: 'Zurückgestellt',
  failed: 'Fehlgeschlagen',
  yes: 'ja',
  no: 'nein',
  subscribe: 'ja',
  doNotSubscribe: 'nein',
  notSpecified: 'keine Angabe',
  open: 'Ende offen',
  notApproved: 'nicht genehmigt',
  from: 'vorher',
  to: 'jetzt',
  more_one: 'Eine weitere Änderung',
  more_other: '{count} weitere Änderungen',
  less: 'Weniger anzeigen',
  takesEffect: 'Wirksam zum {date}',
  employee: 'Beschäftigte/r {id}',
  gone: 'ausgeschieden',
};
