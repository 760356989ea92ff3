import { problems } from '../../src/errors.ts';
import { assertDocumented } from '../../test/support/openapi.ts';
import { type Generated, isWanted } from '../support/generated.ts';
import type { WireAnswer } from '../support/wire.ts';

/**
 * What can be wrong: the service failed, the response is not documented, a mistake was accepted, a mistake was refused
 * as a different one, or a valid request was refused.
 */
type Finding = 'failed' | 'undocumented' | 'accepted' | 'misjudged' | 'refused';

interface Verdict {
  kind: Finding;
  reason: string;
}

const told = 20;

const shorten = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text);

/**
 * Checks the form of a refusal. The portal and unknown addresses are not in the OpenAPI document, but their refusals
 * have the same form as all others.
 */
function assertProblem({ status, headers, body }: WireAnswer): void {
  if (status < 400) return;
  const problem = body as { status?: unknown; code?: string; requestId?: unknown } | undefined;
  const known = problems[problem?.code as keyof typeof problems];
  const isRight =
    headers['content-type']?.startsWith('application/problem+json') &&
    known?.status === status &&
    problem?.status === status &&
    problem.requestId === headers['x-request-id'];
  if (!isRight) throw new Error(`no problem of the catalogue: ${JSON.stringify(body)}`);
}

function assertDescribed({ method, path, operation }: Generated, answer: WireAnswer): void {
  assertProblem(answer);
  if (answer.status === 405 && !answer.headers.allow) throw new Error('405 without Allow');
  if (path.startsWith('/portal/')) return;
  const type = answer.headers['content-type'] ?? null;
  assertDocumented(method, operation?.path ?? '/unknown', {
    status: answer.status,
    contentType: type,
    body: answer.body,
  });
}

/** Compares responses with the expected ones and counts the findings. */
export class Judge {
  readonly names = new Set<string>();
  readonly slips = new Set<string>();
  /** Operations that have succeeded. */
  readonly served = new Set<string>();
  invalid = 0;
  readonly #log: (line: string) => void;
  readonly #findings: Record<Finding, number> = { failed: 0, undocumented: 0, accepted: 0, misjudged: 0, refused: 0 };
  readonly #told = new Set<string>();

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  count(finding: Finding): number {
    return this.#findings[finding];
  }

  hear(number: number, request: Generated, answer: WireAnswer): void {
    this.names.add(request.name);
    if (request.slip !== undefined) {
      this.invalid += 1;
      this.slips.add(`${request.name} ${request.slip}`);
    } else if (answer.status < 400 && request.operation !== undefined) this.served.add(request.name);
    const finding = this.#find(request, answer);
    if (finding === undefined) return;
    this.#findings[finding.kind] += 1;
    this.#tell(number, request, answer, finding);
  }

  /** Logs the first finding of each kind, up to a limit. */
  #tell(number: number, request: Generated, answer: WireAnswer, { kind, reason }: Verdict): void {
    const { name, slip = 'valid', method, path, headers, body = '', wanted } = request;
    const subject = `${kind}: ${name}, ${slip}`;
    if (this.#told.has(subject) || this.#told.size >= told) return;
    this.#told.add(subject);
    this.#log(`${subject}: request ${number} wants ${wanted}, was answered ${answer.status} ${shorten(reason)}`);
    this.#log(`  ${method} ${shorten(path)} ${shorten(JSON.stringify(headers))} ${shorten(body.toString())}`);
    this.#log(`  ${shorten(answer.bytes.toString())}`);
  }

  #find(request: Generated, answer: WireAnswer): Verdict | undefined {
    const { status } = answer;
    if (status >= 500) return { kind: 'failed', reason: '' };
    try {
      assertDescribed(request, answer);
    } catch (error) {
      return { kind: 'undocumented', reason: String(error) };
    }
    if (isWanted(status, request.wanted)) return undefined;
    if (request.slip === undefined) return { kind: 'refused', reason: '' };
    return { kind: status < 400 ? 'accepted' : 'misjudged', reason: '' };
  }
}
