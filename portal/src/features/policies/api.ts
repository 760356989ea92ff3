import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import type {
  Affected,
  AffectedQuery,
  AssignBody,
  ChangeBody,
  ChangeDetails,
  ChangePreview,
  EditPolicyBody,
  NewPolicyBody,
  OrderBody,
  Policies,
  Reminded,
  StartChangeBody,
} from '../../../../src/features/policies/contract.ts';
import { useGet, useGetPage, usePost } from '../../app/api/queries.ts';
import { at, post, type Query } from '../../app/api/request.ts';

const touched = ['policies', 'employees', 'agreements', 'overview', 'activity'];

export const usePolicies = () => useGet<Policies>(['policies'], '/policies');

export const useCreatePolicy = () => usePost<{ id: number }, NewPolicyBody>('/policies', touched);

export const useEditPolicy = (id: number) => usePost<void, EditPolicyBody>(at`/policies/${id}`, touched);

export const useOrderPolicies = () => usePost<void, OrderBody>('/policies/order', touched);

export const useAssignPolicy = (employeeId: number) =>
  usePost<void, AssignBody>(at`/employees/${employeeId}/policy`, touched);

/** Fetches the plan of a change. Nothing while the form is not complete. */
export const useChangePreview = (id: number, body: ChangeBody | undefined) =>
  useQuery({
    queryKey: ['policies', 'preview', id, body],
    queryFn:
      body === undefined
        ? skipToken
        : ({ signal }) => post<ChangePreview, ChangeBody>(at`/policies/${id}/changes/preview`, body, signal),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });

export const useStartChange = (id: number) =>
  usePost<{ id: number }, StartChangeBody>(at`/policies/${id}/changes`, touched);

export const useChangeDetails = (id: number) =>
  useGet<ChangeDetails>(['policies', 'change', id], at`/policies/changes/${id}`);

export const useAffected = (id: number, query: Query<AffectedQuery>) =>
  useGetPage<Affected, AffectedQuery>(['policies', 'affected', id], at`/policies/changes/${id}/employees`, query);

export const useRemindUndecided = (id: number) =>
  usePost<Reminded, undefined>(at`/policies/changes/${id}/reminders`, touched);
