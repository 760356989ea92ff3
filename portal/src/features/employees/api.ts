import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import type { Decision } from '../../../../src/domain/subscription/transitions.ts';
import type { AddedDocument, EmployeeDocument, NewDocumentBody } from '../../../../src/features/documents/contract.ts';
import type {
  CustomLinkBody,
  DecisionBody,
  DecisionPreview,
  EmployeeDetails,
  EmployeeGroups,
  EmployeesPage,
  PlacedEmployeesQuery,
  PreviewDecisionBody,
} from '../../../../src/features/employees/contract.ts';
import { useChange, useGet } from '../../app/api/queries.ts';
import { at, get, post, type Query, readBase64 } from '../../app/api/request.ts';

export const useEmployees = (query: Query<PlacedEmployeesQuery>) =>
  useQuery({
    queryKey: ['employees', 'list', query],
    queryFn: ({ signal }) => get<EmployeesPage['data'], PlacedEmployeesQuery>('/employees', { query, signal }),
    placeholderData: keepPreviousData,
  });

/** Fetches the groups of the roster. */
export const useGroups = () => useGet<EmployeeGroups>(['employees', 'groups'], '/employees/groups');

const generationMillis = 2_000;

/**
 * Returns whether a document is still being generated. Only the PDF documents that we generate are not downloadable at
 * once.
 */
const isBeingGenerated = ({ downloadable, documentFileType }: EmployeeDocument) =>
  !downloadable && documentFileType === 'pdf';

/** Fetches an employee. Refetches automatically while one of their documents is being generated. */
export const useEmployee = (id: number) =>
  useGet<EmployeeDetails>(['employees', id], at`/employees/${id}`, {
    refetchInterval: ({ state }) => (state.data?.documents.some(isBeingGenerated) ? generationMillis : false),
  });

const namesAtOnce = 100;

/** Returns the names of the employees with these ids, or undefined while they load. Removed employees have no name. */
export const useEmployeeNames = (ids: readonly number[]): Map<number, string> | undefined =>
  useQuery({
    queryKey: ['employees', 'names', ids],
    queryFn: async ({ signal }) => {
      const starts = Array.from({ length: Math.ceil(ids.length / namesAtOnce) }, (_, index) => index * namesAtOnce);
      const pages = await Promise.all(
        starts.map((start) => {
          const query = { perPage: namesAtOnce, ids: ids.slice(start, start + namesAtOnce) };
          return get<EmployeesPage['data'], PlacedEmployeesQuery>('/employees', { query, signal });
        }),
      );
      return new Map(
        pages.flatMap(({ data }) => data.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`])),
      );
    },
    enabled: ids.length > 0,
    // A roster that was just applied may have changed the names, even if they were read for its preview moments ago.
    staleTime: 0,
  }).data;

/** Fetches what a decision would do, with a new request per decision. */
export const useDecisionPreview = (id: number, decision: Decision | undefined) =>
  useQuery({
    queryKey: ['employees', id, 'preview', decision],
    queryFn:
      decision === undefined
        ? skipToken
        : ({ signal }) =>
            post<DecisionPreview, PreviewDecisionBody>(at`/employees/${id}/decisions/preview`, { decision }, signal),
    staleTime: 0,
    gcTime: 0,
  });

/** Decides, and stores the scan of the signed contract before, if there is one. */
export const useDecide = (id: number) =>
  useChange(
    async ({ scan, ...body }: DecisionBody & { scan?: { file: File; name: string } }) => {
      if (scan === undefined) return post<DecisionPreview, DecisionBody>(at`/employees/${id}/decisions`, body);
      const document = await post<AddedDocument, NewDocumentBody>(at`/employees/${id}/documents`, {
        name: scan.name,
        content: await readBase64(scan.file),
      });
      return post<DecisionPreview, DecisionBody>(at`/employees/${id}/decisions`, { ...body, documentId: document.id });
    },
    ['employees', 'overview', 'activity', 'documents'],
  );

export const useLinkEmployee = (id: number) =>
  useChange(
    (hrId: string) => post<void, CustomLinkBody>(at`/employees/${id}/links`, { hrId }),
    ['employees', 'activity'],
  );

export const useUnlinkEmployee = (id: number) =>
  useChange(
    (hrId: string) => post<void, CustomLinkBody>(at`/employees/${id}/links/remove`, { hrId }),
    ['employees', 'activity'],
  );
