import { useQuery } from '@tanstack/react-query';
import { useChange } from './changes.ts';
import { getSettings, updateSettings } from './operations.gen.ts';
import type { UpdateSettingsBody } from './types.gen.ts';

export const useSettings = () => useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => getSettings(signal) });

export const useSaveSettings = () =>
  useChange((body: UpdateSettingsBody) => updateSettings(body), ['settings', 'activity', 'me', 'overview', 'payroll']);
