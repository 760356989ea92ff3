import { useQuery } from '@tanstack/react-query';
import type { ApiKey, NewKeyBody, NewSecret, RotateKeyBody } from '../../../src/portal/contract.ts';
import { useChange } from './changes.ts';
import { read, request } from './request.ts';

const path = (username: string) => `/keys/${encodeURIComponent(username)}`;
const touched = ['keys', 'activity'];

export const useKeys = () =>
  useQuery({ queryKey: ['keys'], queryFn: ({ signal }) => read<ApiKey[]>('/keys', { signal }) });

export const useCreateKey = () =>
  useChange((body: NewKeyBody) => read<NewSecret>('/keys', { method: 'POST', body }), touched);

export const useRotateKey = () =>
  useChange(
    ({ username, ...body }: RotateKeyBody & { username: string }) =>
      read<NewSecret>(`${path(username)}/rotate`, { method: 'POST', body }),
    touched,
  );

export const useRevokeKey = () =>
  useChange((username: string) => request<void>(`${path(username)}/revoke`, { method: 'POST' }), touched);
