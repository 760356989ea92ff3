import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type {
  Agreement,
  AgreementsPage,
  AgreementsQuery,
  ContractBatch,
  ContractsPreview,
  LinksBody,
  PreviewDecisionsBody,
  SigningLinks,
} from '../../../../src/features/contracts/contract.ts';
import { useChange, useGet } from '../../app/api/queries.ts';
import { at, get, type Page, post, type Query } from '../../app/api/request.ts';

const progressMillis = 1_000;
const linksPerStep = 500;
export const touched = ['employees', 'agreements', 'overview', 'activity'];

export type Selection = Pick<PreviewDecisionsBody, 'employeeIds' | 'filter'>;

/** Fetches the employees that a decision would apply to. */
export const useContractsPreview = (body: PreviewDecisionsBody) =>
  useQuery({
    queryKey: ['employees', 'contracts', body],
    queryFn: ({ signal }) => post<ContractsPreview, PreviewDecisionsBody>('/contracts/decisions/preview', body, signal),
    staleTime: 0,
    gcTime: 0,
  });

/** Fetches how far a decision is. Refetches automatically until it has been applied. */
export const useContractBatch = (id: number | undefined) =>
  useGet<ContractBatch>(['contract-batch', id], at`/contracts/decisions/${id ?? 0}`, {
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.finishedAt ? false : progressMillis),
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

type AgreementsWithProgress = Page<Agreement> & Pick<AgreementsPage['data'], 'progress'>;

/** Fetches a page of agreements, and how far all of them are. The page before stays until it has arrived. */
export const useAgreements = (query: Query<AgreementsQuery>) =>
  useQuery({
    queryKey: ['agreements', query],
    queryFn: ({ signal }) => get<AgreementsWithProgress, AgreementsQuery>('/agreements', { query, signal }),
    placeholderData: keepPreviousData,
  });
