import type { Insertable } from 'kysely';
import type { HrLinksTable } from '../db/types.gen.ts';
import type { Calendar } from './calendar.ts';
import { type ConnectionName, type Integration, syncFinished, syncIdOf } from './integrations.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';

/** A place that knows the person: an integration, or a link made by hand. */
type Place = Extract<ConnectionName, 'main' | 'branch' | 'locked' | 'retired'> | 'custom';

/** How many people are known where; everybody else only by the main export. */
const situations: { people: number; places: Place[] }[] = [
  // First those whose last sync was long ago: they are taken from the oldest people, whom it can have contained.
  { people: 5, places: ['locked'] },
  { people: 3, places: ['main', 'retired'] },
  { people: 12, places: ['branch'] },
  { people: 15, places: ['main', 'branch'] },
  { people: 8, places: ['main', 'custom'] },
  { people: 10, places: ['custom'] },
  { people: 10, places: [] },
];
const oldest = 20;

/** The number of the first person in each system. */
const numbering: Record<Place, { prefix: string; first: number }> = {
  main: { prefix: 'E-', first: 1001 },
  branch: { prefix: 'KI', first: 20310 },
  locked: { prefix: 'S-', first: 501 },
  retired: { prefix: 'A', first: 77001 },
  custom: { prefix: 'P-', first: 41 },
};

function drawPlaces(random: Random, people: Person[]): Map<Person, Place[]> {
  const places = new Map<Person, Place[]>();
  // The removed were known by the main export alone: it is its roster that they went missing from.
  const visible = people.filter((person) => person.removedOn === null);
  const drawn = [...random.shuffle(visible.slice(0, oldest)), ...random.shuffle(visible.slice(oldest))];
  let next = 0;
  for (const situation of situations) {
    for (const person of drawn.slice(next, next + situation.people)) places.set(person, situation.places);
    next += situation.people;
  }
  return places;
}

export type Link = Pick<Insertable<HrLinksTable>, 'hr_integration_id' | 'hr_id' | 'last_sync_id' | 'last_synced_at'>;

export function createLinks(
  random: Random,
  calendar: Calendar,
  people: Person[],
  integrations: Record<ConnectionName, Integration>,
): Map<Person, Link[]> {
  const places = drawPlaces(random, people);
  const counters = new Map<Place, number>();

  function lastSync(person: Person, integration: Integration) {
    if (person.removedOn === null) return integration.lastCompleted;
    const lastSeen = person.removedOn.subtract({ days: 12 });
    return { syncId: syncIdOf(lastSeen), at: calendar.at(lastSeen, syncFinished) };
  }

  function link(person: Person, place: Place): Link {
    const { prefix, first } = numbering[place];
    const count = counters.get(place) ?? 0;
    counters.set(place, count + 1);
    const integration = place === 'custom' ? null : integrations[place];
    const sync = integration && lastSync(person, integration);
    return {
      hr_integration_id: integration?.id ?? null,
      hr_id: `${prefix}${String(first + count).padStart(4, '0')}`,
      last_sync_id: sync?.syncId ?? null,
      last_synced_at: sync?.at ?? null,
    };
  }

  return new Map(
    people.map((person) => [person, (places.get(person) ?? ['main']).map((place: Place) => link(person, place))]),
  );
}
