import { type Static, Type } from 'typebox';
import { Closed } from '../../platform/http/portal/schemas.ts';
import { PlainDate } from '../../platform/http/schemas.ts';

export const TimeTravelSchema = Closed({
  companies: Type.Array(Closed({ id: Type.Integer(), name: Type.String() }), {
    description: 'The companies that time travel moves.',
  }),
});

export type TimeTravel = Static<typeof TimeTravelSchema>;

export const TimeTravelBody = Closed({
  to: Type.String({ format: 'date' }),
  confirm: Type.Integer({ description: 'Repeats the number of companies.' }),
});

export type TimeTravelBody = Static<typeof TimeTravelBody>;

export const TravelledSchema = Closed({ today: PlainDate('The day that was reached.') });

export type Travelled = Static<typeof TravelledSchema>;
