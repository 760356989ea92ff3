import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { HrIntegration } from '../../../../../src/features/connectors/contract.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ConfirmModal } from '../../../ui/ConfirmModal.tsx';
import { useConfirmedChange } from '../../../ui/confirmed-change.ts';
import { useSetIntegrationStatus } from '../api.ts';
import { texts } from './texts.ts';

type Target = 'active' | 'inactive';

/** Activates or deactivates an integration after confirmation. A locked integration can be switched either way,
 * except one that lacks a key: a new key activates it. */
export function Switch({ integration: { id, name, status, type } }: { integration: HrIntegration }) {
  const t = useTexts(texts);
  const [target, setTarget] = useState<Target>('inactive');
  const [opened, { open, close }] = useDisclosure(false);
  const { modalProps, execute } = useConfirmedChange(useSetIntegrationStatus(id), close);
  const isOff = target === 'inactive';
  const openModal = (next: Target) => {
    setTarget(next);
    open();
  };
  const button = (to: Target) => (
    <Button variant="default" onClick={() => openModal(to)}>
      {t(to === 'inactive' ? 'disable' : 'enable')}
    </Button>
  );
  return (
    <>
      {status !== 'inactive' && button('inactive')}
      {status !== 'active' && !(status === 'invalid' && type === 'api-integration') && button('active')}
      <ConfirmModal
        {...modalProps}
        opened={opened}
        onConfirm={() => execute({ status: target }, t(isOff ? 'disabled' : 'enabled', { name }))}
        title={t(isOff ? 'disableTitle' : 'enableTitle', { name })}
        confirmLabel={t(isOff ? 'disable' : 'enable')}
        danger={isOff}
      >
        {t(isOff ? 'disableText' : 'enableText')}
      </ConfirmModal>
    </>
  );
}
