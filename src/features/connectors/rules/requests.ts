import { Value } from 'typebox/value';
import { createMessage } from '../../../domain/messages/message.ts';
import { type Requests, RequestsSchema } from '../pull/contract.ts';
import { findSyntaxProblem } from './expression.ts';
import { type Mapping, type MappingProblem, mappedFields } from './mapping.ts';

type Placed = [path: string, expression: string | null | undefined];

/** Every expression of the requests with its place. */
function listExpressions({ employees, absences }: Requests): Placed[] {
  const ofList = (name: string, { list, total, more, paging }: Omit<Requests['employees'], 'id'>) =>
    [
      ['list', list],
      ['total', total],
      ['more', more],
      ['paging.next', paging.kind === 'cursor' ? paging.next : undefined],
    ].map(([part, text]) => [`requests.${name}.${part}`, text] as Placed);
  const parts = ['person', 'start', 'end', 'type', 'typeName', 'approved'] as const;
  return [
    ...ofList('employees', employees),
    ['requests.employees.id', employees.id],
    ...(absences === null ? [] : ofList('absences', absences)),
    ...parts.map((name) => [`requests.absences.${name}`, absences?.[name]] as Placed),
  ];
}

/** Every attribute of the mapping with its place: each may be an expression. */
const listNamed = ({ fields, include, autoSyncEmployee }: Mapping): Placed[] => [
  ...mappedFields.map((name): Placed => [`fields.${name}`, fields[name]]),
  ...include.map(({ attribute }, index): Placed => [`include.${index}.attribute`, attribute]),
  ['autoSyncEmployee.attribute', autoSyncEmployee?.attribute],
];

/** Returns what is wrong with the requests of a mapping, and with its expressions. */
export async function findRequestProblems(mapping: Mapping): Promise<MappingProblem[]> {
  const { requests } = mapping;
  if (!Value.Check(RequestsSchema, requests)) {
    const errors = [...Value.Errors(RequestsSchema, requests)].slice(0, 5);
    return errors.map(({ instancePath }) => ({
      path: `requests${instancePath.replaceAll('/', '.')}`,
      message: createMessage('requests-invalid'),
    }));
  }
  const problems: MappingProblem[] = [];
  for (const name of ['employees', 'absences'] as const) {
    const { paging, total, more } = requests[name] ?? {};
    const counts = paging?.kind === 'page' || paging?.kind === 'offset';
    // Without one of them, a page that is missing would look like the end.
    if (counts && total === undefined && more === undefined) {
      problems.push({ path: `requests.${name}`, message: createMessage('requests-end') });
    }
  }
  for (const [path, text] of [...listExpressions(requests), ...listNamed(mapping)]) {
    if (text === undefined || text === null) continue;
    const code = await findSyntaxProblem(text);
    if (code === undefined) continue;
    problems.push({ path, message: createMessage('expression-syntax', { expression: text, error: code }) });
  }
  return problems;
}
