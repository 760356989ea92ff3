import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../../app/api/changes.ts';
import {
  acceptInvitation,
  createResetLink,
  endSessions,
  getInvitation,
  invite,
  joinCompany,
  listUserKeys,
  listUsers,
  listUserWebhooks,
  removeUser,
  resetSecondFactor,
  setRoles,
  withdrawInvitation,
} from '../../../app/api/operations.gen.ts';
import type {
  AcceptInvitationBody,
  InviteBody,
  JoinCompanyBody,
  RemoveUserBody,
  SetRolesBody,
} from '../../../app/api/types.gen.ts';

const touched = ['users', 'activity'];

export const useUsers = () => useQuery({ queryKey: ['users'], queryFn: ({ signal }) => listUsers(signal) });

export const useInvite = () => useChange((body: InviteBody) => invite(body), touched);

export const useWithdrawInvitation = () => useChange((id: number) => withdrawInvitation(id), touched);

export const useSetRoles = () =>
  useChange(({ id, ...body }: SetRolesBody & { id: string }) => setRoles(id, body), [...touched, 'me']);

/** Returns the keys that a user created or knows. Requests them again whenever the dialog opens. */
export const useUserWebhooks = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['user-webhooks', id],
    queryFn: ({ signal }) => listUserWebhooks(id, signal),
    enabled,
  });

export const useUserKeys = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['user-keys', id],
    queryFn: ({ signal }) => listUserKeys(id, signal),
    enabled,
    staleTime: 0,
    gcTime: 0,
  });

export const useRemoveUser = () =>
  useChange(({ id, ...body }: RemoveUserBody & { id: string }) => removeUser(id, body), [...touched, 'keys']);

export const useCreateResetLink = () => useChange((id: string) => createResetLink(id), touched);

export const useResetSecondFactor = () => useChange((id: string) => resetSecondFactor(id), touched);

export const useEndSessions = () => useChange((id: string) => endSessions(id), touched);

export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => getInvitation(token, signal),
    meta: { public: true },
    retry: false,
  });

export const useJoinCompany = (token: string) => useChange((body: JoinCompanyBody) => joinCompany(token, body), []);

export const useAcceptInvitation = (token: string) =>
  useChange((body: AcceptInvitationBody) => acceptInvitation(token, body), []);
