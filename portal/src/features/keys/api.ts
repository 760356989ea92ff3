import { useQuery } from '@tanstack/react-query';
import type {
  ApiKey,
  KeyBody,
  KeyDecisionBody,
  KeyDetails,
  NewKeyBody,
  NewSecret,
  RotateKeyBody,
} from '../../../../src/features/keys/contract.ts';
import { useChange } from '../../app/api/changes.ts';
import { at, get, post } from '../../app/api/request.ts';

/** Keys decide whether an API integration still receives rosters. */
const touched = ['keys', 'activity', 'integrations', 'overview'];

export const useKeys = () =>
  useQuery({ queryKey: ['keys'], queryFn: ({ signal }) => get<ApiKey[]>('/keys', { signal }) });

export const useKey = (username: string) =>
  useQuery({
    queryKey: ['keys', username],
    queryFn: ({ signal }) => get<KeyDetails>(at`/keys/${username}`, { signal }),
  });

export const useUpdateKey = (username: string) =>
  useChange((body: KeyBody) => post<void, KeyBody>(at`/keys/${username}`, body), touched);

export const useCreateKey = () => useChange((body: NewKeyBody) => post<NewSecret, NewKeyBody>('/keys', body), touched);

export const useRotateKey = () =>
  useChange(
    ({ username, ...body }: RotateKeyBody & { username: string }) =>
      post<NewSecret, RotateKeyBody>(at`/keys/${username}/rotate`, body),
    touched,
  );

export const useDecideOnKey = () =>
  useChange(
    ({ username, permissions, isApproved }: KeyDecisionBody & { username: string; isApproved: boolean }) =>
      post<void, KeyDecisionBody>(at`/keys/${username}/${isApproved ? 'approve' : 'reject'}`, { permissions }),
    touched,
  );

export const useRevokeKey = () => useChange((username: string) => post<void>(at`/keys/${username}/revoke`), touched);
