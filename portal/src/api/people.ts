import { useQuery } from '@tanstack/react-query';
import type {
  AcceptInvitationBody,
  Invitation,
  InvitationBody,
  People,
  RoleBody,
} from '../../../src/portal/contract.ts';
import { useChange } from './changes.ts';
import { read, request } from './request.ts';

const touched = ['people', 'activity'];
const invitationPath = (token: string) => `/invitations/${encodeURIComponent(token)}`;

export const usePeople = () =>
  useQuery({ queryKey: ['people'], queryFn: ({ signal }) => read<People>('/people', { signal }) });

export const useInvite = () =>
  useChange(
    (body: InvitationBody) =>
      read<{ link: string; expiresAt: string }>('/people/invitations', { method: 'POST', body }),
    touched,
  );

export const useWithdrawInvitation = () =>
  useChange((id: number) => request<void>(`/people/invitations/${id}`, { method: 'DELETE' }), touched);

export const useSetRole = () =>
  useChange(
    ({ id, ...body }: RoleBody & { id: string }) => request<void>(`/people/${id}/role`, { method: 'POST', body }),
    [...touched, 'me'],
  );

export const useRemovePerson = () =>
  useChange((id: string) => request<void>(`/people/${id}`, { method: 'DELETE' }), touched);

export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => read<Invitation>(invitationPath(token), { signal }),
    meta: { public: true },
    retry: false,
  });

export const useAcceptInvitation = (token: string) =>
  useChange((body: AcceptInvitationBody) => request<void>(invitationPath(token), { method: 'POST', body }), []);
