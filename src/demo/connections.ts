import type { Day } from '../domain/calendar.ts';
import type { IntegrationType } from '../domain/enums.ts';
import type { Calendar } from './calendar.ts';

/** Systems that send rosters. */
export type Place = 'main' | 'branch' | 'south' | 'old';

/** One integration of each kind that an HR department encounters. Two have never sent a roster. */
export const connections = {
  main: { name: 'Musterwerk Personalexport', type: 'api-integration' },
  old: { name: 'Musterwerk Altsystem', type: 'api-integration' },
  south: { name: 'Zeitgeist HR (Werk Süd)', type: 'hr-integration' },
  branch: { name: 'Nordlicht HR (Niederlassung Kiel)', type: 'hr-integration' },
  planned: { name: 'Personalwolke', type: 'hr-integration' },
  ready: { name: 'Lohnbüro Nord', type: 'api-integration' },
} as const satisfies Record<string, { name: string; type: IntegrationType }>;

export type ConnectionName = keyof typeof connections;

export function connectedOn({ joined, month, yesterday }: Calendar, name: ConnectionName): Day {
  switch (name) {
    case 'main':
    case 'old':
      return joined;
    case 'south':
      return month(-7).subtract({ days: 12 });
    case 'branch':
      return month(-5).subtract({ days: 12 });
    case 'planned':
    case 'ready':
      return yesterday;
  }
}
