import type { Translation } from '../../app/i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Zeitreise',
  description: 'Stellen Sie das Datum vor und sehen Sie heute, was die nächsten Monate bringen.',
  today: 'Aktuelles Datum',
  to: 'Neues Datum',
  toHint: 'Ein späterer Tag, höchstens {days} Tage von heute.',
  nextMonth: 'Nächster Monatserster',
  inAWeek: 'In einer Woche',
  submit: 'Datum vorstellen',
  submitTo: 'Auf den {date} vorstellen',
  whatTitle: 'Was geschieht',
  what1: 'Das Datum dieser Umgebung wird Tag für Tag vorgestellt, für alle Unternehmen darin.',
  what2:
    'Jeder Tag wird wie gewohnt verarbeitet: Abos beginnen, pausieren und enden, am Monatsersten werden Tickets ausgestellt, Posten und Dokumente werden erstellt.',
  what3: 'Das Datum kann nicht zurückgestellt werden. In der Produktion gibt es keine Zeitreise.',
  runningTitle: 'Datum wird auf den {date} vorgestellt',
  running: 'Das Datum ist jetzt der {today}. Das kann eine Minute dauern. Sie können die Seite verlassen.',
  progress: 'Verarbeitete Tage',
  arrivedTitle: 'Das Datum ist jetzt der {date}',
  arrived: 'Alle Tage wurden verarbeitet. Sehen Sie, was sich geändert hat:',
  overview: 'Übersicht',
  employees: 'Beschäftigte',
  billing: 'Abrechnung',
  confirmTitle: 'Auf den {date} vorstellen?',
  confirmText_one: 'Das Datum wird für dieses Unternehmen vorgestellt:',
  confirmText_other: 'Das Datum wird für diese {count} Unternehmen vorgestellt:',
  irreversible: 'Das Datum kann nicht zurückgestellt werden.',
  operatorTitle: 'Nur der Betreiber kann hier die Zeitreise nutzen',
  operatorHint:
    'Die Zeitreise betrifft alle Unternehmen dieser Umgebung. Bitten Sie den Betreiber, das Datum vorzustellen oder die Zeitreise im Portal zu erlauben.',
  productionTitle: 'Nur in der Testumgebung (Staging) verfügbar',
  productionHint: 'Die Produktion läuft in Echtzeit.',
};
