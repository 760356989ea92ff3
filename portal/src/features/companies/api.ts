import type { AccessSettings } from '../../../../src/features/accounts/contract.ts';
import type { CompanySettings, SettingsBody } from '../../../../src/features/companies/contract.ts';
import { useGet, usePost } from '../../app/api/queries.ts';

export const useSettings = () => useGet<CompanySettings>(['settings'], '/settings');

export const useSaveSettings = () =>
  usePost<CompanySettings, SettingsBody>('/settings', ['settings', 'activity', 'me', 'overview', 'payroll']);

export const useAccessSettings = () => useGet<AccessSettings>(['access-settings'], '/settings/access');

export const useSaveAccessSettings = () =>
  usePost<AccessSettings, AccessSettings>('/settings/access', ['access-settings', 'activity', 'me', 'second-factor']);
