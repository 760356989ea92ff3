import fc from 'fast-check';
import type { Operation } from '../arbitraries/operations.ts';
import type { RosterLimits } from '../arbitraries/roster.ts';
import type { HttpRequest } from '../support/http-client.ts';
import { arbitraryDraft, type Draft, type Expected } from './draft.ts';
import { listMistakes, type MistakeKind } from './mistakes.ts';
import type { Targets } from './targets.ts';

/** A generated request and its required response. */
export interface GeneratedRequest extends HttpRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  operation: Operation;
  /** The one deliberate mistake. Undefined if the request is valid. */
  mistake?: string;
  expected: Expected;
  /** The parameter that the refusal must name. */
  parameter?: string;
}

function write(operation: Operation, draft: Draft, mistake?: MistakeKind): GeneratedRequest {
  const { method, headers, body, query } = draft;
  const filled = draft.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => draft.params[name] ?? '');
  return {
    operation,
    method,
    path: `${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers,
    ...(body === undefined ? {} : { body }),
    expected: mistake === undefined ? draft.expected : operation.isPortal ? 'refused' : mistake.expected,
    ...(mistake === undefined ? {} : { mistake: mistake.name }),
    ...(mistake?.parameter === undefined || operation.isPortal ? {} : { parameter: mistake.parameter }),
  };
}

/** Returns valid requests to the operation, and as many with one mistake. */
export function arbitraryRequest(
  operation: Operation,
  targets: Targets,
  limits: RosterLimits,
): fc.Arbitrary<GeneratedRequest> {
  const valid = arbitraryDraft(operation, targets, false).map((draft) => write(operation, draft));
  const plain = arbitraryDraft(operation, targets, true);
  const mistakes = listMistakes(operation, targets, limits).map((kind) =>
    fc.tuple(plain, kind.change).map(([draft, change]) => write(operation, { ...draft, ...change(draft) }, kind)),
  );
  return fc.oneof(valid, fc.oneof(...mistakes));
}
