import type * as Contract from '../../../../src/features/keys/contract.ts';
import { useChange, useGet, usePost } from '../../app/api/queries.ts';
import { at, post } from '../../app/api/request.ts';

/** Keys decide whether an API integration still receives rosters. */
const touched = ['keys', 'activity', 'integrations', 'overview'];

export const useKeys = () => useGet<Contract.ApiKey[]>(['keys'], '/keys');

export const useKey = (username: string) => useGet<Contract.KeyDetails>(['keys', username], at`/keys/${username}`);

export const useUpdateKey = (username: string) => usePost<void, Contract.KeyBody>(at`/keys/${username}`, touched);

export const useCreateKey = () => usePost<Contract.NewSecret, Contract.NewKeyBody>('/keys', touched);

export const useRotateKey = () =>
  useChange(
    ({ username, ...body }: Contract.RotateKeyBody & { username: string }) =>
      post<Contract.NewSecret, Contract.RotateKeyBody>(at`/keys/${username}/rotate`, body),
    touched,
  );

export const useDecideOnKey = () =>
  useChange(
    ({ username, permissions, isApproved }: Contract.KeyDecisionBody & { username: string; isApproved: boolean }) =>
      post<void, Contract.KeyDecisionBody>(at`/keys/${username}/${isApproved ? 'approve' : 'reject'}`, { permissions }),
    touched,
  );

export const useRevokeKey = () => useChange((username: string) => post<void>(at`/keys/${username}/revoke`), touched);
