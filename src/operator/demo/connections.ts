import type { Day } from '../../domain/calendar.ts';
import type { IntegrationType } from '../../domain/enums.ts';
import type { Calendar } from './calendar.ts';

/** Systems that send rosters. */
export type Place = 'main' | 'branch' | 'south' | 'old';

/** Systems that are connected, so that the service pulls their rosters. The others push with the key. */
const pulledPlaces = ['south', 'old'] as const;
export type PulledPlace = (typeof pulledPlaces)[number];

export const isPulledPlace = (name: string): name is PulledPlace => (pulledPlaces as readonly string[]).includes(name);

/** When rosters arrive: in the evening, after the actions of the day. */
export const rosterTimes: Record<Place, string> = { old: '19:00', main: '19:30', south: '20:00', branch: '20:15' };

/** One integration of each kind that an HR department encounters. Two have never sent a roster. */
export const connections = {
  main: { name: 'Musterwerk Personalexport', type: 'api-integration' },
  old: { name: 'Personio (Altsystem)', type: 'hr-integration' },
  south: { name: 'Personio (Werk Süd)', type: 'hr-integration' },
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
