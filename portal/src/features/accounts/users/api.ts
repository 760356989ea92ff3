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
import { useGet, usePost } from '../../../app/api/queries.ts';
import { at, post, remove } from '../../../app/api/request.ts';

const touched = ['users', 'activity'];

export const useUsers = () => useGet<Users>(['users'], '/users');

export const useInvite = () => usePost<NewInvitation, InvitationBody>('/users/invitations', touched);

export const useWithdrawInvitation = () => useChange((id: number) => remove(at`/users/invitations/${id}`), touched);

export const useSetRoles = () =>
  useChange(
    ({ id, ...body }: RolesBody & { id: string }) => post<void, RolesBody>(at`/users/${id}/roles`, body),
    [...touched, 'me'],
  );

/** Returns the keys that a user created or knows. Requests them again whenever the dialog opens. */
export const useUserEndpoints = (id: string, enabled: boolean) =>
  useGet<UserEndpoint[]>(['user-endpoints', id], at`/users/${id}/webhook-endpoints`, { enabled });

export const useUserKeys = (id: string, enabled: boolean) =>
  useGet<UserKey[]>(['user-keys', id], at`/users/${id}/keys`, { enabled, staleTime: 0, gcTime: 0 });

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
  useGet<Invitation>(['invitation', token], at`/invitations/${token}`, { meta: { public: true }, retry: false });

export const useJoinCompany = (token: string) => usePost<void, JoinBody>(at`/invitations/${token}/join`, []);

export const useAcceptInvitation = (token: string) =>
  usePost<void, AcceptInvitationBody>(at`/invitations/${token}`, []);
