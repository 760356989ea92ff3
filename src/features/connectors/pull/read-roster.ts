import { createMessage, type Message, type MessagePart } from '../../../domain/messages/message.ts';
import { ApiError } from '../../../platform/http/errors.ts';
import type { Explanations } from '../../roster/explanations.ts';
import { checkRoster, type ForeignEntry, type Roster } from '../../roster/read-roster.ts';
import type { RosterProblem } from '../../roster/rules/fields.ts';
import type { Source } from '../../roster/rules/source.ts';
import { type Connection, ConnectorError, incompleteFrom } from '../providers/connector.ts';
import { mapRecord } from '../rules/map-record.ts';
import { listAttributes, type Mapping } from '../rules/mapping.ts';

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

const describeProblem = ({ pointer, hrId, message }: RosterProblem): MessagePart => {
  const values = { ...message.values, field: pointer.split('/')[3] ?? 'entry', detail: message.key };
  return hrId === undefined
    ? { key: 'unusable-unknown', values }
    : { key: 'unusable-employee', values: { ...values, hrId } };
};

function describeProblems(system: string, { extra }: ApiError): Message {
  const { errors = [], errorCount = 0 } = extra as { errors?: RosterProblem[]; errorCount?: number };
  const problems = errors.slice(0, maxNamed).map(describeProblem);
  const more = errorCount - problems.length;
  if (more <= 0) return createMessage('connector-unusable', { system, problems });
  return createMessage('connector-unusable-more', { system, problems, more });
}

/** Reads the complete roster, or throws at any doubt: an employee who is missing would be removed. */
export async function readPulledRoster(connection: Connection, request: RosterRequest): Promise<PulledRoster> {
  const { title, mapping, last, today, timeZone, maxEntries, onProgress } = request;
  const explanations = new Map<string, Source[]>();
  const progress: PullProgress = { pages: 0, people: 0, total: null };
  let memory: unknown;
  const fail = incompleteFrom(title);

  async function* readEntries(): AsyncGenerator<ForeignEntry> {
    const from = today.subtract({ months: absenceMonthsBack }).toString();
    const absences = mapping.absences && { from, to: today.add({ months: absenceMonthsAhead }).toString() };
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
      throw fail('incomplete-count', { announced: progress.total, listed: progress.people });
    }
    if (progress.people === 0) {
      throw last.people ? fail('incomplete-nobody-left', { employees: last.people }) : fail('incomplete-nobody');
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
  return new ConnectorError('attribute-withheld', createMessage('connector-withheld', { system: title, names }));
};

function describeRefusal(title: string, error: ApiError): Message {
  const { errors = [] } = error.extra as { errors?: RosterProblem[] };
  if (errors.some(({ pointer }) => pointer === '/employees')) {
    return createMessage('connector-nobody-included', { system: title });
  }
  // An error without problems of entries says itself what is wrong with the roster, such as its size.
  return error.explanation ?? describeProblems(title, error);
}
