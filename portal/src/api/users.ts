import { useQuery } from '@tanstack/react-query';
import type {
  AcceptInvitationBody,
  Invitation,
  InvitationBody,
  KeyOfPerson,
  RemovePersonBody,
  RoleBody,
  Users,
} from '../../../src/portal/contract.ts';
import { useChange } from './changes.ts';
import { read, request } from './request.ts';

const touched = ['people', 'activity'];
const invitationPath = (token: string) => `/invitations/${encodeURIComponent(token)}`;

export const usePeople = () =>
  useQuery({ queryKey: ['people'], queryFn: ({ signal }) => read<Users>('/people', { signal }) });

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

/** Returns the keys that a user created or knows. Requests them again whenever the dialog opens. */
export const useKeysOfPerson = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['keys-of-person', id],
    queryFn: ({ signal }) => read<KeyOfPerson[]>(`/people/${id}/keys`, { signal }),
    enabled,
    staleTime: 0,
    gcTime: 0,
  });

export const useRemovePerson = () =>
  useChange(
    ({ id, ...body }: RemovePersonBody & { id: string }) =>
      request<void>(`/people/${id}/remove`, { method: 'POST', body }),
    [...touched, 'keys'],
  );

export const useEndSessions = () =>
  useChange((id: string) => read<{ sessions: number }>(`/people/${id}/end-sessions`, { method: 'POST' }), touched);

export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => read<Invitation>(invitationPath(token), { signal }),
    meta: { public: true },
    retry: false,
  });

export const useAcceptInvitation = (token: string) =>
  useChange((body: AcceptInvitationBody) => request<void>(invitationPath(token), { method: 'POST', body }), []);
