import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type {
  Agreement,
  AgreementsPage,
  AgreementsQuery,
  ContractsPreview,
  LettersBody,
  LinksBody,
  PreviewDecisionsBody,
  SigningLetters,
  SigningLinks,
} from '../../../../src/features/contracts/contract.ts';
import { useChange, usePost } from '../../app/api/queries.ts';
import { get, type Page, post, type Query } from '../../app/api/request.ts';

const linksPerStep = 500;
const touched = ['employees', 'agreements', 'overview', 'activity'];

export type Selection = Pick<PreviewDecisionsBody, 'employeeIds' | 'filter'>;

/** Fetches the employees that a decision would apply to. */
export const useContractsPreview = (body: PreviewDecisionsBody) =>
  useQuery({
    queryKey: ['employees', 'contracts', body],
    queryFn: ({ signal }) => post<ContractsPreview, PreviewDecisionsBody>('/contracts/decisions/preview', body, signal),
    staleTime: 0,
    gcTime: 0,
  });

/** New links, or reminders of those that exist. */
type LinksPath = '/contracts/links' | '/contracts/reminders';

interface LinksInput {
  selection: Selection;
  /** What an earlier attempt has created. The next one continues after it. */
  earlier: SigningLinks | undefined;
}

/** Creates links in steps until every selected employee has one. If a later step fails, returns what there is so far. */
async function createAllLinks(path: LinksPath, { selection, earlier }: LinksInput): Promise<SigningLinks> {
  let result = earlier;
  do {
    const after = result?.continueAfter;
    const body: LinksBody = { ...selection, limit: linksPerStep, ...(after ? { after } : {}) };
    try {
      const step = await post<SigningLinks, LinksBody>(path, body);
      const created = step.created + (result?.created ?? 0);
      result = { ...step, created, links: [...(result?.links ?? []), ...step.links] };
    } catch (error) {
      if (result === undefined || result === earlier) throw error;
      return result;
    }
  } while (result.continueAfter !== null);
  return result;
}

export const useCreateSigningLinks = (path: LinksPath) =>
  useChange((input: LinksInput) => createAllLinks(path, input), touched);

/** Prints letters to the selected employees. A file has a limited number; the next one continues after it. */
export const usePrintLetters = () => usePost<SigningLetters, LettersBody>('/contracts/letters', touched);

type AgreementsWithProgress = Page<Agreement> & Pick<AgreementsPage['data'], 'progress'>;

/** Fetches a page of agreements, and how far all of them are. The page before stays until it has arrived. */
export const useAgreements = (query: Query<AgreementsQuery>) =>
  useQuery({
    queryKey: ['agreements', query],
    queryFn: ({ signal }) => get<AgreementsWithProgress, AgreementsQuery>('/agreements', { query, signal }),
    placeholderData: keepPreviousData,
  });
