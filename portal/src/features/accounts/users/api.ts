import { useQuery } from '@tanstack/react-query';
import type {
  AcceptInvitationBody,
  EndedSessions,
  Invitation,
  InvitationBody,
  JoinBody,
  NewInvitation,
  RemoveUserBody,
  ResetLink,
  RolesBody,
  UserEndpoint,
  UserKey,
  Users,
} from '../../../../../src/features/accounts/users/contract.ts';
import { useChange } from '../../../app/api/changes.ts';
import { at, get, post, remove } from '../../../app/api/request.ts';

const touched = ['users', 'activity'];

export const useUsers = () =>
  useQuery({ queryKey: ['users'], queryFn: ({ signal }) => get<Users>('/users', { signal }) });

export const useInvite = () =>
  useChange((body: InvitationBody) => post<NewInvitation, InvitationBody>('/users/invitations', body), touched);

export const useWithdrawInvitation = () => useChange((id: number) => remove(at`/users/invitations/${id}`), touched);

export const useSetRoles = () =>
  useChange(
    ({ id, ...body }: RolesBody & { id: string }) => post<void, RolesBody>(at`/users/${id}/roles`, body),
    [...touched, 'me'],
  );

/** Returns the keys that a user created or knows. Requests them again whenever the dialog opens. */
export const useUserEndpoints = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['user-endpoints', id],
    queryFn: ({ signal }) => get<UserEndpoint[]>(at`/users/${id}/webhook-endpoints`, { signal }),
    enabled,
  });

export const useUserKeys = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['user-keys', id],
    queryFn: ({ signal }) => get<UserKey[]>(at`/users/${id}/keys`, { signal }),
    enabled,
    staleTime: 0,
    gcTime: 0,
  });

export const useRemoveUser = () =>
  useChange(
    ({ id, ...body }: RemoveUserBody & { id: string }) => post<void, RemoveUserBody>(at`/users/${id}/remove`, body),
    [...touched, 'keys'],
  );

export const useCreateResetLink = () =>
  useChange((id: string) => post<ResetLink>(at`/users/${id}/reset-link`), touched);

export const useResetSecondFactor = () =>
  useChange((id: string) => post<void>(at`/users/${id}/reset-second-factor`), touched);

export const useEndSessions = () =>
  useChange((id: string) => post<EndedSessions>(at`/users/${id}/end-sessions`), touched);

export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => get<Invitation>(at`/invitations/${token}`, { signal }),
    meta: { public: true },
    retry: false,
  });

export const useJoinCompany = (token: string) =>
  useChange((body: JoinBody) => post<void, JoinBody>(at`/invitations/${token}/join`, body), []);

export const useAcceptInvitation = (token: string) =>
  useChange((body: AcceptInvitationBody) => post<void, AcceptInvitationBody>(at`/invitations/${token}`, body), []);
