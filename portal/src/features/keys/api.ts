import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../app/api/changes.ts';
import {
  approveKey,
  createKey,
  getKey,
  listKeys,
  rejectKey,
  revokeKey,
  rotateKey,
  updateKey,
} from '../../app/api/operations.gen.ts';
import type { ApproveKeyBody, CreateKeyBody, RotateKeyBody, UpdateKeyBody } from '../../app/api/types.gen.ts';

/** Keys decide whether an API integration still receives rosters. */
const touched = ['keys', 'activity', 'integrations', 'overview'];

export const useKeys = () => useQuery({ queryKey: ['keys'], queryFn: ({ signal }) => listKeys(signal) });

export const useKey = (username: string) =>
  useQuery({ queryKey: ['keys', username], queryFn: ({ signal }) => getKey(username, signal) });

export const useUpdateKey = (username: string) =>
  useChange((body: UpdateKeyBody) => updateKey(username, body), touched);

export const useCreateKey = () => useChange((body: CreateKeyBody) => createKey(body), touched);

export const useRotateKey = () =>
  useChange(({ username, ...body }: RotateKeyBody & { username: string }) => rotateKey(username, body), touched);

export const useDecideOnKey = () =>
  useChange(
    ({ username, permissions, isApproved }: ApproveKeyBody & { username: string; isApproved: boolean }) =>
      (isApproved ? approveKey : rejectKey)(username, { permissions }),
    touched,
  );

export const useRevokeKey = () => useChange((username: string) => revokeKey(username), touched);
