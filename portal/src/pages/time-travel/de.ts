import type { Translation } from '../../i18n/texts.ts';
import type { en } from './en.ts';

export const de: Translation<typeof en> = {
  title: 'Zeitreise',
  description: 'Sehen Sie heute, was die nächsten Monate bringen.',
  today: 'Aktuelles Datum',
  to: 'Tag',
  toHint: 'Ein späterer Tag, höchstens {days} Tage von heute.',
  nextMonth: 'Erster des nächsten Monats',
  inAWeek: 'In einer Woche',
  submit: 'Reisen',
  submitTo: 'Zum {date} reisen',
  whatTitle: 'Was geschieht',
  what1: 'Die Uhr dieser Umgebung wird Tag für Tag vorgestellt, für jedes Unternehmen darin.',
  what2:
    'Jeder Tag auf dem Weg wird wie sonst verarbeitet: Abos beginnen, pausieren und enden, Tickets werden am Monatsersten ausgestellt, Posten und Dokumente entstehen.',
  what3: 'Eine Rückreise gibt es nicht, und in der Produktion gar keine Zeitreise.',
  runningTitle: 'Unterwegs zum {date}',
  running:
    'Jetzt ist der {today}. Eine lange Reise kann eine Minute dauern. Sie können die Seite in der Zwischenzeit verlassen.',
  progress: 'Verarbeitete Tage',
  arrivedTitle: 'Es ist der {date}',
  arrived: 'Jeder Tag auf dem Weg wurde verarbeitet. Sehen Sie, was sich geändert hat:',
  overview: 'Übersicht',
  employees: 'Beschäftigte',
  billing: 'Abrechnung',
  confirmTitle: 'Zum {date} reisen?',
  confirmText_one: 'Die Uhr wird für dieses Unternehmen vorgestellt:',
  confirmText_other: 'Die Uhr wird für diese {count} Unternehmen vorgestellt:',
  noWayBack: 'Eine Rückreise gibt es nicht.',
  operatorTitle: 'Hier kann nur der Betreiber durch die Zeit reisen',
  operatorHint:
    'In dieser Umgebung gibt es mehrere Unternehmen, und eine Zeitreise betrifft alle. Bitten Sie den Betreiber, die Reise auszuführen oder Zeitreisen im Portal zu erlauben.',
  notHereTitle: 'Nur auf Staging',
  notHere: 'Die Produktion läuft in Echtzeit.',
};
