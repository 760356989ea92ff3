import { useQuery } from '@tanstack/react-query';
import type { CompanySettings, SettingsBody } from '../../../src/portal/contract.ts';
import { useChange } from './changes.ts';
import { read } from './request.ts';

export const useSettings = () =>
  useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => read<CompanySettings>('/settings', { signal }) });

export const useSaveSettings = () =>
  useChange(
    (body: SettingsBody) => read<CompanySettings>('/settings', { method: 'POST', body }),
    ['settings', 'activity', 'me', 'overview'],
  );
