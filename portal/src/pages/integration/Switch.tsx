import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { HrIntegration } from '../../../../src/hr-integrations/schema.ts';
import { useSetIntegrationStatus } from '../../api/integrations.ts';
import { ConfirmModal } from '../../components/ConfirmModal.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';

type Target = 'active' | 'inactive';

/** Switches an integration off or on, after asking. One that is locked out can be switched either way. */
export function Switch({ integration: { id, name, status } }: { integration: HrIntegration }) {
  const t = useTexts({ en, de });
  const change = useSetIntegrationStatus(id);
  const [target, setTarget] = useState<Target>('inactive');
  const [opened, { open, close }] = useDisclosure(false);
  const isOff = target === 'inactive';
  const ask = (next: Target) => {
    change.reset();
    setTarget(next);
    open();
  };
  const confirm = () =>
    change.mutate(
      { status: target },
      {
        onSuccess: () => {
          close();
          notifications.show({ message: t(isOff ? 'disabled' : 'enabled', { name }), color: 'teal' });
        },
      },
    );
  const button = (to: Target) => (
    <Button variant="default" onClick={() => ask(to)}>
      {t(to === 'inactive' ? 'disable' : 'enable')}
    </Button>
  );
  return (
    <>
      {status !== 'inactive' && button('inactive')}
      {status !== 'active' && button('active')}
      <ConfirmModal
        opened={opened}
        onClose={close}
        onConfirm={confirm}
        title={t(isOff ? 'disableTitle' : 'enableTitle', { name })}
        confirmLabel={t(isOff ? 'disable' : 'enable')}
        danger={isOff}
        pending={change.isPending}
        error={change.error}
      >
        {t(isOff ? 'disableText' : 'enableText')}
      </ConfirmModal>
    </>
  );
}
