import { useQuery } from '@tanstack/react-query';
import { useChange } from './changes.ts';
import { createKey, listKeys, revokeKey, rotateKey } from './operations.gen.ts';
import type { CreateKeyBody, RotateKeyBody } from './types.gen.ts';

const touched = ['keys', 'activity'];

export const useKeys = () => useQuery({ queryKey: ['keys'], queryFn: ({ signal }) => listKeys(signal) });

export const useCreateKey = () => useChange((body: CreateKeyBody) => createKey(body), touched);

export const useRotateKey = () =>
  useChange(({ username, ...body }: RotateKeyBody & { username: string }) => rotateKey(username, body), touched);

export const useRevokeKey = () => useChange((username: string) => revokeKey(username), touched);
