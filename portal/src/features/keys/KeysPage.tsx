import { Button, Card } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ApiKey } from '../../../../src/features/keys/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx';
import { useKeys } from './api.ts';
import { KeyList } from './KeyList.tsx';
import { NewKeyForm } from './NewKeyForm.tsx';
import { PermissionMeanings } from './PermissionBadges.tsx';
import { RevokeModal } from './RevokeModal.tsx';
import { RotateForm } from './RotateForm.tsx';
import { SecretModal } from './SecretModal.tsx';
import { texts } from './texts.ts';

/** Stores the key, so that the modal still names it while it closes. */
function useKeyModal() {
  const [key, setKey] = useState<ApiKey>();
  const [opened, { open, close }] = useDisclosure(false);
  const openFor = (next: ApiKey) => {
    setKey(next);
    open();
  };
  return { key, opened, openFor, close };
}

function Content({ keys, onCreate }: { keys: readonly ApiKey[]; onCreate(): void }) {
  const t = useTexts(texts);
  const mayCreate = useAbility('keys');
  const rotating = useKeyModal();
  const revoking = useKeyModal();
  if (keys.length === 0) {
    const actions = (
      <>
        {mayCreate && <Button onClick={onCreate}>{t('create')}</Button>}
        <Button component={Link} to="/getting-started" variant="default">
          {t('gettingStarted')}
        </Button>
      </>
    );
    return (
      <Card>
        <EmptyState
          icon={IconKey}
          title={t('emptyTitle')}
          hint={t(mayCreate ? 'emptyHint' : 'emptyHintViewer')}
          actions={actions}
        />
      </Card>
    );
  }
  return (
    <>
      <KeyList keys={keys} onRotate={rotating.openFor} onRevoke={revoking.openFor} />
      <PermissionMeanings />
      {rotating.key && (
        <SecretModal
          opened={rotating.opened}
          onClose={rotating.close}
          title={t('rotateTitle', { name: rotating.key.name })}
        >
          {(onCreated) =>
            rotating.key && <RotateForm apiKey={rotating.key} onCreated={onCreated} onCancel={rotating.close} />
          }
        </SecretModal>
      )}
      {revoking.key && (
        <RevokeModal
          key={revoking.key.username}
          apiKey={revoking.key}
          opened={revoking.opened}
          onClose={revoking.close}
        />
      )}
    </>
  );
}

export function Component() {
  const t = useTexts(texts);
  const { data, error, refetch } = useKeys();
  const mayCreate = useAbility('keys');
  const [opened, { open, close }] = useDisclosure(false);
  // Without any keys, the empty state contains the button.
  const create = mayCreate && data?.length !== 0 && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} description={t('description')} actions={create}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data ? <Content keys={data} onCreate={open} /> : !error && <RowsSkeleton rows={6} />}
      <SecretModal opened={opened} onClose={close} title={t('newTitle')}>
        {(onCreated) => <NewKeyForm onCreated={onCreated} onCancel={close} />}
      </SecretModal>
    </Page>
  );
}
