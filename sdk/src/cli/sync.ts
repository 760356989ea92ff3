import type { TransitBenefits } from '../client.ts';
import { InvalidRequestError } from '../errors.ts';
import type { Sync, SyncPreview, SyncRecord } from '../types.gen.ts';
import { type Command, type CommandContext, numberOf, textOf } from './define.ts';
import { CommandError, exitCodes, usageError } from './errors.ts';
import { type RosterFile, readRosterFile } from './read-roster.ts';
import { ask, formatTable, note, print, printable, printJson } from './terminal.ts';

/** How many records of a plan are shown. All of them are in the output of --json. */
const mostShown = 50;
const outcomes = ['failed', 'held', 'offboarded', 'created', 'updated'] as const;

/** Returns the integration to sync: the named one, or the only one that accepts rosters. */
async function findIntegration(client: TransitBenefits, context: CommandContext): Promise<number> {
  const given = numberOf(context, 'integration');
  if (given !== undefined) return given;
  const all = await client.hrIntegrations.list({ signal: context.signal }).toArray();
  const possible = all.filter(({ type, canTriggerSync }) => type === 'api-integration' && canTriggerSync);
  const [only] = possible;
  if (only !== undefined && possible.length === 1) return only.id;
  const listed = possible.map(({ id, name }) => `${id} (${printable(name)})`).join(', ');
  throw usageError(
    `Name the integration with --integration. ${listed === '' ? 'None accepts rosters now.' : `Possible: ${listed}.`}`,
  );
}

const summarize = ({ field, from, to }: SyncRecord['changes'][number]) =>
  `${field}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`;

/** Removals and failures first, because they matter most. */
const sortRecords = (records: readonly SyncRecord[]) =>
  [...records].sort((a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome));

function formatPlan(
  { records, counts, warnings, entries, reactivated = 0, newFees }: SyncPreview,
  { describe }: RosterFile,
): string {
  const shown = sortRecords(records).slice(0, mostShown);
  const rows = shown.map(({ hrId, outcome, code, changes, detail }) => [
    outcome,
    hrId,
    code,
    changes.length > 0 && outcome === 'updated' ? changes.map(summarize).join(', ').slice(0, 100) : detail,
  ]);
  const table = rows.length === 0 ? '' : `${formatTable(['outcome', 'HR id', 'code', 'what'], rows)}\n`;
  const more = records.length > shown.length ? `… and ${records.length - shown.length} more\n\n` : '';
  const notes = warnings.map(
    ({ pointer, detail, count }) => `warning: ${printable(describe(pointer))}: ${printable(detail)} (${count})\n`,
  );
  const back =
    reactivated === 0
      ? ''
      : `${reactivated} of them ${reactivated === 1 ? 'was' : 'were'} leaving or removed, and will be employees again\n`;
  const fees =
    newFees && `new fees: ${newFees.perMonth.label} net per month for ${newFees.employees} newly linked employees\n`;
  return `${table}${more}${notes.join('')}${entries} employees: ${formatCounts(counts)}\n${back}${fees ?? ''}`;
}

const formatCounts = (counts: Sync['counts']) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ');

/** Throws unless somebody agrees to removals, and to employees who come back. */
async function confirmPlan({ terminal, options, signal }: CommandContext, preview: SyncPreview): Promise<void> {
  const { counts, reactivated = 0 } = preview;
  const removals = counts.offboarded + counts.held;
  if (removals + reactivated === 0 || options.yes) return;
  const back = `${reactivated} ${reactivated === 1 ? 'employee who was' : 'employees who were'} leaving or removed will be reactivated.`;
  const gone = `${removals} ${removals === 1 ? 'employee is' : 'employees are'} missing in the file and will lose their ticket.`;
  const text = `${[...(reactivated > 0 ? [back] : []), ...(removals > 0 ? [gone] : [])].join(' ')} Continue? [y/N] `;
  const answer = await ask(terminal, { text, signal });
  if (/^(y|yes|j|ja)$/i.test(answer ?? '')) return;
  const hint = answer === undefined ? ' Nobody is here to ask: check the plan with --dry-run, then use --yes.' : '';
  throw new CommandError(`Nothing was sent.${hint}`, exitCodes.notConfirmed);
}

/** Translates places in the roster into places in the file. */
function translate(error: unknown, { describe }: RosterFile): unknown {
  if (!(error instanceof InvalidRequestError) || error.code !== 'invalid-roster') return error;
  const lines = error.errors.map(({ pointer = '', detail }) => `  ${describe(pointer)}: ${detail}`);
  const more = error.errorCount > lines.length ? [`  … and ${error.errorCount - lines.length} more`] : [];
  return new CommandError(['Nothing was sent: the file has mistakes.', ...lines, ...more].map(printable).join('\n'));
}

async function apply(context: CommandContext, client: TransitBenefits, id: number, roster: RosterFile): Promise<Sync> {
  const { terminal, signal } = context;
  const syncId = textOf(context, 'sync-id');
  const onProgress = ({ state, entries }: { state: string; entries: number }) =>
    note(terminal, `${state} (${entries} employees)`);
  return client.hrIntegrations.sync(id, { syncId, employees: roster.employees }, { wait: true, signal, onProgress });
}

const sync: Command = {
  name: 'sync',
  operands: '<file>',
  description: 'Send a roster from a CSV, Excel or JSON file',
  options: {
    'dry-run': { type: 'boolean', description: 'Only show what would happen' },
    integration: { type: 'string', value: 'ID', description: 'The integration (default: the only one)' },
    map: { type: 'string', value: 'FILE', description: 'JSON file that says which column is which field' },
    'sync-id': { type: 'string', value: 'ID', description: 'Id of this sync (default: made from the content)' },
    yes: { type: 'boolean', description: 'Do not ask before removals' },
  },
  async run(context) {
    const { terminal, words, options, signal } = context;
    const [file, ...others] = words;
    if (file === undefined || others.length > 0) throw usageError('Name one file with all employees.');
    const roster = await readRosterFile(file, textOf(context, 'map'));
    const ignored = roster.columns.filter(({ field }) => field === undefined).map(({ name }) => printable(name));
    if (ignored.length > 0) note(terminal, `Columns without a meaning for us: ${ignored.join(', ')}`);
    const client = context.connect();
    const id = await findIntegration(client, context);
    try {
      const preview = await client.hrIntegrations.sync(id, roster.employees, { dryRun: true, signal });
      if (!terminal.isJson) await print(terminal, formatPlan(preview, roster));
      if (options['dry-run']) {
        if (terminal.isJson) await printJson(terminal, preview);
        return undefined;
      }
      await confirmPlan(context, preview);
      const outcome = await apply(context, client, id, roster);
      if (terminal.isJson) await printJson(terminal, outcome);
      else await print(terminal, `Done: ${formatCounts(outcome.counts) || 'nothing has changed'}.\n`);
      if (outcome.heldRemovals === 'pending') {
        note(terminal, `${outcome.counts.held} removals wait for approval in the portal, because there are so many.`);
      }
      return undefined;
    } catch (error) {
      throw translate(error, roster);
    }
  },
};

export const syncCommands = [sync];
