import { insertCompany } from '../companies.ts';
import { findSettings, listCompanies, updateSettings } from '../company-settings.ts';
import { asCompanyId, type CompanyId } from '../db/company-scope.ts';
import { type CompanySettings, describeWrongSetting } from '../domain/company-settings.ts';
import { planTypes } from '../domain/enums.ts';
import { OperatorError } from '../operator-error.ts';
import { type Arguments, type Command, inTransaction, withEngine } from './command.ts';

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

const options = {
  name: 'name',
  plan: 'planType',
  'employee-contribution': 'contributionCents',
  'cut-off-day': 'cutOffDay',
  'guard-minimum': 'guardMinimumLinked',
  'guard-percent': 'guardMaximumAbsentPercent',
  'retention-days': 'retentionDays',
  'audit-retention-days': 'auditRetentionDays',
  'time-zone': 'timeZone',
  locale: 'locale',
} as const satisfies Record<string, keyof CompanySettings>;
const texts: readonly string[] = ['name', 'plan', 'time-zone', 'locale'];

/** Reads the given settings. Throws if one of them is invalid. */
function readSettings(args: Arguments): Partial<CompanySettings> {
  args.optionalWord('plan', planTypes);
  const given = Object.entries(options).flatMap(([option, setting]) => {
    const text = args.optionalText(option);
    if (text === undefined) return [];
    const value = texts.includes(option) ? text : /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    const wrong = describeWrongSetting(setting, value as never);
    if (wrong !== undefined) throw new OperatorError(`--${option} ${wrong}, but is "${text}".`);
    return [[setting, value]];
  });
  return Object.fromEntries(given);
}

function readCompanyId(args: Arguments): CompanyId {
  const text = args.positional('The id of the company');
  if (!/^\d{1,15}$/.test(text)) throw new OperatorError(`The id of the company must be a number, but is "${text}".`);
  return asCompanyId(Number(text));
}

const noCompany = (id: CompanyId) => new OperatorError(`There is no company ${id}.`);

export const companySet: Command = {
  usage:
    'company set ID [--name N] [--plan TYPE] [--employee-contribution CENTS] [--cut-off-day DAY] [--guard-minimum N] [--guard-percent N] [--retention-days N] [--audit-retention-days N] [--time-zone ZONE] [--locale LOCALE]',
  run: (args, config) => {
    const id = readCompanyId(args);
    const wanted = readSettings(args);
    if (Object.keys(wanted).length === 0) {
      throw new OperatorError(
        `Nothing to set: give ${Object.keys(options)
          .map((option) => `--${option}`)
          .join(', ')}.`,
      );
    }
    return withEngine(config, ({ db, clock }) =>
      db.transaction().execute(async (tx) => {
        const changes = await updateSettings(tx, id, wanted, { at: clock.now() });
        if (changes === undefined) throw noCompany(id);
        return { id, changes };
      }),
    );
  },
};

export const companyShow: Command = {
  usage: 'company show ID',
  run: (args, config) => {
    const id = readCompanyId(args);
    return inTransaction(config, async (tx) => {
      const settings = await findSettings(tx, id);
      if (settings === undefined) throw noCompany(id);
      return { id, ...settings };
    });
  },
};

export const companyList: Command = {
  usage: 'company list',
  run: (_args, config) => inTransaction(config, (tx) => listCompanies(tx)),
};
