import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Zeitreise',
  description: 'Sehen Sie heute, was die nächsten Monate bringen.',
  today: 'Heute ist hier',
  to: 'Tag',
  toHint: 'Ein späterer Tag, höchstens {days} Tage von heute.',
  nextMonth: 'Erster des nächsten Monats',
  inAWeek: 'In einer Woche',
  submit: 'Reisen',
  submitTo: 'Zum {date} reisen',
  whatTitle: 'Was geschieht',
  what1: 'Die Uhr dieser Umgebung geht Tag für Tag vor, für jedes Unternehmen darin.',
  what2:
    'Jeder Tag auf dem Weg wird so gelebt, wie er käme: Abos beginnen, pausieren und enden, Tickets werden am Ersten ausgestellt, Posten entstehen, Schreiben werden verfasst.',
  what3: 'Es gibt keinen Weg zurück. In der Produktion gibt es keine Zeitreise.',
  runningTitle: 'Unterwegs zum {date}',
  running:
    'Jetzt ist hier der {today}. Ein weiter Weg kann eine Minute dauern; Sie können die Seite solange verlassen.',
  progress: 'Gelebte Tage',
  arrivedTitle: 'Es ist der {date}',
  arrived: 'Jeder Tag auf dem Weg ist gelebt. Sehen Sie, was daraus geworden ist:',
  overview: 'Übersicht',
  employees: 'Beschäftigte',
  billing: 'Abrechnung',
  confirmTitle: 'Zum {date} reisen?',
  confirmText_one: 'Die Uhr geht für dieses Unternehmen vor:',
  confirmText_other: 'Die Uhr geht für diese {count} Unternehmen vor:',
  noWayBack: 'Es gibt keinen Weg zurück.',
  operatorTitle: 'Hier reist nur der Betreiber',
  operatorHint:
    'In dieser Umgebung sind mehrere Unternehmen, und eine Zeitreise betrifft alle. Bitten Sie den Betreiber, zu reisen oder es im Portal zu erlauben.',
  notHereTitle: 'Nur auf Staging',
  notHere: 'Die Produktion lebt in echter Zeit.',
};
