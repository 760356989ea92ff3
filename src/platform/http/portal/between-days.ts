import { type RawBuilder, sql } from 'kysely';

/** PostgreSQL has no year 0. */
const firstDay = Temporal.PlainDate.from('0001-01-02');

function startOf(day: Temporal.PlainDate, timeZone: string): Temporal.Instant {
  const known = Temporal.PlainDate.compare(day, firstDay) < 0 ? firstDay : day;
  return known.toZonedDateTime(timeZone).toInstant();
}

interface Days {
  from?: string | undefined;
  to?: string | undefined;
}

export const momentsOf = ({ from, to }: Days, timeZone: string) => ({
  start: from ? startOf(Temporal.PlainDate.from(from), timeZone) : undefined,
  end: to ? startOf(Temporal.PlainDate.from(to).add({ days: 1 }), timeZone) : undefined,
});

export function betweenDays(moment: RawBuilder<unknown>, days: Days, timeZone: string): RawBuilder<unknown>[] {
  const { start, end } = momentsOf(days, timeZone);
  return [
    ...(start ? [sql`${moment} >= ${start.toString()}::timestamptz`] : []),
    ...(end ? [sql`${moment} < ${end.toString()}::timestamptz`] : []),
  ];
}
