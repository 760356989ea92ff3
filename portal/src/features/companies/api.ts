import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../app/api/changes.ts';
import { getAccessSettings, getSettings, updateAccessSettings, updateSettings } from '../../app/api/operations.gen.ts';
import type { AccessSettings, UpdateSettingsBody } from '../../app/api/types.gen.ts';

export const useSettings = () => useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => getSettings(signal) });

export const useSaveSettings = () =>
  useChange((body: UpdateSettingsBody) => updateSettings(body), ['settings', 'activity', 'me', 'overview', 'payroll']);

export const useAccessSettings = () =>
  useQuery({ queryKey: ['access-settings'], queryFn: ({ signal }) => getAccessSettings(signal) });

export const useSaveAccessSettings = () =>
  useChange(
    (body: AccessSettings) => updateAccessSettings(body),
    ['access-settings', 'activity', 'me', 'second-factor'],
  );
