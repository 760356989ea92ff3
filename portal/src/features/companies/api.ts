import { useQuery } from '@tanstack/react-query';
import type { AccessSettings, AccessSettingsBody } from '../../../../src/features/accounts/contract.ts';
import type { CompanySettings, SettingsBody } from '../../../../src/features/companies/contract.ts';
import { useChange } from '../../app/api/changes.ts';
import { get, post } from '../../app/api/request.ts';

export const useSettings = () =>
  useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => get<CompanySettings>('/settings', { signal }) });

export const useSaveSettings = () =>
  useChange(
    (body: SettingsBody) => post<CompanySettings, SettingsBody>('/settings', body),
    ['settings', 'activity', 'me', 'overview', 'payroll'],
  );

export const useAccessSettings = () =>
  useQuery({
    queryKey: ['access-settings'],
    queryFn: ({ signal }) => get<AccessSettings>('/settings/access', { signal }),
  });

export const useSaveAccessSettings = () =>
  useChange(
    (body: AccessSettings) => post<AccessSettings, AccessSettingsBody>('/settings/access', body),
    ['access-settings', 'activity', 'me', 'second-factor'],
  );
