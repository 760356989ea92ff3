import { useQuery } from '@tanstack/react-query';
import type {
  AcceptInvitationBody,
  Invitation,
  InvitationBody,
  RemoveUserBody,
  RoleBody,
  UserKey,
  Users,
} from '../../../src/portal/contract.ts';
import { useChange } from './changes.ts';
import { read, request } from './request.ts';

const touched = ['users', 'activity'];
const invitationPath = (token: string) => `/invitations/${encodeURIComponent(token)}`;

export const useUsers = () =>
  useQuery({ queryKey: ['users'], queryFn: ({ signal }) => read<Users>('/users', { signal }) });

export const useInvite = () =>
  useChange(
    (body: InvitationBody) => read<{ link: string; expiresAt: string }>('/users/invitations', { method: 'POST', body }),
    touched,
  );

export const useWithdrawInvitation = () =>
  useChange((id: number) => request<void>(`/users/invitations/${id}`, { method: 'DELETE' }), touched);

export const useSetRole = () =>
  useChange(
    ({ id, ...body }: RoleBody & { id: string }) => request<void>(`/users/${id}/role`, { method: 'POST', body }),
    [...touched, 'me'],
  );

/** Returns the keys that a user created or knows. Requests them again whenever the dialog opens. */
export const useUserKeys = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['user-keys', id],
    queryFn: ({ signal }) => read<UserKey[]>(`/users/${id}/keys`, { signal }),
    enabled,
    staleTime: 0,
    gcTime: 0,
  });

export const useRemoveUser = () =>
  useChange(
    ({ id, ...body }: RemoveUserBody & { id: string }) =>
      request<void>(`/users/${id}/remove`, { method: 'POST', body }),
    [...touched, 'keys'],
  );

export const useEndSessions = () =>
  useChange((id: string) => read<{ sessions: number }>(`/users/${id}/end-sessions`, { method: 'POST' }), touched);

export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => read<Invitation>(invitationPath(token), { signal }),
    meta: { public: true },
    retry: false,
  });

export const useAcceptInvitation = (token: string) =>
  useChange((body: AcceptInvitationBody) => request<void>(invitationPath(token), { method: 'POST', body }), []);
