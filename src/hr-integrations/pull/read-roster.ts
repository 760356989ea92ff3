import { mapRecord, type Source } from '../../domain/connectors/map-record.ts';
import { listAttributes, type Mapping } from '../../domain/connectors/mapping.ts';
import type { RosterProblem } from '../../domain/roster/fields.ts';
import { ApiError } from '../../errors.ts';
import type { Connection } from '../connectors/connector.ts';
import { ConnectorError } from '../connectors/connector-error.ts';
import type { Explanations } from '../sync/explanations.ts';
import { checkRoster, type ForeignEntry, type Roster } from '../sync/read-roster.ts';

/** Absences matter while they may pause a month, and a while longer, so that old ones do not leave all at once. */
const [absenceMonthsBack, absenceMonthsAhead] = [12, 24];

export interface PullProgress {
  pages: number;
  people: number;
  total: number | null;
}

export interface PulledRoster {
  roster: Roster;
  explanations: Explanations;
  people: number;
  memory: unknown;
}

export interface RosterRequest {
  title: string;
  mapping: Mapping;
  last: { people: number | null; memory: unknown };
  today: Temporal.PlainDate;
  timeZone: string;
  maxEntries: number;
  onProgress: (progress: PullProgress) => void;
}

const maxNamed = 3;

/** Says which employees the HR system describes in a way that no roster allows. */
function describeProblems(title: string, { extra }: ApiError): string {
  const { errors = [], errorCount = 0 } = extra as { errors?: RosterProblem[]; errorCount?: number };
  const named = errors.slice(0, maxNamed).map(({ pointer, hrId, detail }) => {
    const field = pointer.split('/')[3] ?? 'entry';
    return `${hrId === undefined ? 'an employee without an id' : `employee ${hrId}`}: ${field} ${detail}`;
  });
  const rest = errorCount > named.length ? `, and ${errorCount - named.length} more` : '';
  return `Records of ${title} cannot be used (${named.join('; ')}${rest}). Correct them there, or exclude them in the mapping.`;
}

/**
 * Reads the complete roster, or throws. Every reason to doubt that it is complete is a failure, because an employee who
 * is missing would be removed.
 */
export async function readPulledRoster(connection: Connection, request: RosterRequest): Promise<PulledRoster> {
  const { title, mapping, last, today, timeZone, maxEntries, onProgress } = request;
  const explanations = new Map<string, Source[]>();
  const progress: PullProgress = { pages: 0, people: 0, total: null };
  let memory: unknown;
  const fail = (what: string) =>
    new ConnectorError('incomplete', `${title} ${what}. Nothing was changed. It will be tried again.`);

  async function* readEntries(): AsyncGenerator<ForeignEntry> {
    const absences =
      mapping.absences === null
        ? null
        : { from: today.subtract({ months: absenceMonthsBack }), to: today.add({ months: absenceMonthsAhead }) };
    const pages = connection.read({ mapping, attributes: listAttributes(mapping), absences, last });
    for await (const page of pages) {
      progress.pages += 1;
      progress.total = page.total ?? progress.total;
      if (page.memory !== undefined) memory = page.memory;
      for (const record of page.records) {
        const mapped = mapRecord(record, mapping, timeZone);
        if (mapped.kind === 'withheld') throw withhold(title, mapped.attributes);
        progress.people += 1;
        if (mapped.sources.length > 0) explanations.set(mapped.hrId, mapped.sources);
        if (mapped.kind === 'entry') yield { entry: mapped.entry };
      }
      onProgress({ ...progress });
    }
    if (progress.total !== null && progress.total !== progress.people) {
      throw fail(`announced ${progress.total} employees, but listed ${progress.people}`);
    }
    if (progress.people === 0) {
      throw fail(last.people ? `listed nobody, although there were ${last.people} employees` : 'listed nobody');
    }
  }

  try {
    const roster = await checkRoster(readEntries(), { maxEntries, today });
    return { roster, explanations, people: progress.people, memory };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ConnectorError('invalid-roster', describeRefusal(title, error));
  }
}

const withhold = (title: string, attributes: string[]) => {
  const names = attributes.map((name) => `\`${name}\``).join(', ');
  const message = `${title} does not release ${names}. Grant the credentials access, or choose other attributes in the mapping.`;
  return new ConnectorError('attribute-withheld', message);
};

function describeRefusal(title: string, error: ApiError): string {
  const { errors = [] } = error.extra as { errors?: RosterProblem[] };
  if (errors.some(({ pointer }) => pointer === '/employees')) {
    return `No employee of ${title} fulfils the conditions of the mapping. Nothing was changed. Correct the conditions.`;
  }
  return errors.length > 0 ? describeProblems(title, error) : error.message;
}
