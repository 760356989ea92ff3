import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PlanType, SubscriptionStatus } from '../../../src/domain/enums.ts';
import type { Employee } from '../../../src/employees/schema.ts';
import type { DecisionBody, DecisionPreview, EmployeeDetails, Page } from '../../../src/portal/contract.ts';
import { useChange } from './changes.ts';
import { read, withQuery } from './request.ts';

export interface EmployeesQuery {
  page: number;
  perPage: number;
  search?: string | undefined;
  sortField?: 'id' | 'createdAt' | 'updatedAt' | undefined;
  sortOrder?: 'asc' | 'desc' | undefined;
  subscriptionStatuses?: readonly SubscriptionStatus[];
  planTypes?: readonly PlanType[];
}

export const useEmployees = (query: EmployeesQuery) =>
  useQuery({
    queryKey: ['employees', 'list', query],
    queryFn: ({ signal }) => read<Page<Employee>>(withQuery('/employees', { ...query }), { signal }),
    placeholderData: keepPreviousData,
  });

const letterMillis = 2_000;

/**
 * Returns whether a document is still being generated. Only the PDF documents that we generate are not downloadable at
 * once.
 */
const isBeingWritten = ({ downloadable, documentFileType }: EmployeeDetails['documents'][number]) =>
  !downloadable && documentFileType === 'pdf';

/** Fetches an employee. Refetches automatically while one of their documents is being generated. */
export const useEmployee = (id: number) =>
  useQuery({
    queryKey: ['employees', id],
    queryFn: ({ signal }) => read<EmployeeDetails>(`/employees/${id}`, { signal }),
    refetchInterval: ({ state }) => (state.data?.documents.some(isBeingWritten) ? letterMillis : false),
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
          return read<Page<Employee>>(withQuery('/employees', query), { signal });
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
export const useDecisionPreview = (id: number, decision: DecisionBody['decision'] | undefined) =>
  useQuery({
    queryKey: ['employees', id, 'preview', decision],
    queryFn: ({ signal }) =>
      read<DecisionPreview>(`/employees/${id}/decisions/preview`, { method: 'POST', body: { decision }, signal }),
    enabled: decision !== undefined,
    staleTime: 0,
    gcTime: 0,
  });

export const useDecide = (id: number) =>
  useChange(
    (body: DecisionBody) => read<DecisionPreview>(`/employees/${id}/decisions`, { method: 'POST', body }),
    ['employees', 'overview', 'activity'],
  );

export const documentAddress = (id: number) => `/portal/api/documents/${id}/download`;
