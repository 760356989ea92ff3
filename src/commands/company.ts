import { insertCompany } from '../companies.ts';
import { planTypes } from '../domain/vocabulary.ts';
import { type Command, withEngine } from './command.ts';

export const companyCreate: Command = {
  usage: 'company create --name N [--plan TYPE] [--employee-contribution CENTS]',
  run: (args, config) => {
    const settings = {
      name: args.text('name'),
      planType: args.optionalWord('plan', planTypes) ?? 'fully-subsidized-plan',
      contributionCents: args.optionalCents('employee-contribution') ?? 0,
    } as const;
    return withEngine(config, ({ db, clock }) =>
      db.transaction().execute(async (tx) => ({ id: await insertCompany(tx, settings, clock.now()) })),
    );
  },
};
