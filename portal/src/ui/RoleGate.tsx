import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Ability } from '../../../src/domain/roles.ts';
import { useAbility } from '../app/api/me.ts';
import { useCommonTexts } from '../app/i18n/common.ts';
import { EmptyState } from './EmptyState.tsx';

/** Hides a whole page from roles that may not use it. For single buttons use `useAbility`. */
export function RoleGate({ ability, children }: { ability: Ability; children: ReactNode }) {
  const t = useCommonTexts();
  if (useAbility(ability)) return children;
  return <EmptyState icon={IconLock} title={t('notAllowedTitle')} hint={t('notAllowed')} />;
}
