import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useReader } from '../../../app/i18n/reader.ts';
import { useDialog } from '../../../ui/Dialog.tsx';
import { Page } from '../../../ui/layout.tsx';
import { RoleGate } from '../../../ui/Query.tsx';
import { CreateIntegration } from '../CreateIntegration.tsx';
import { CredentialsStep, ProviderCards, type Source, type Way } from './credentials.tsx';
import { Steps } from './steps.tsx';
import { texts } from './texts.ts';

/** Creates nothing until credentials are submitted, so that nothing is left behind by somebody who only looks. */
export function Component() {
  const { t } = useReader(texts);
  const navigate = useNavigate();
  const [source, setSource] = useState<Source>();
  const { show, dialog } = useDialog();
  const create = (way: Way) =>
    show(({ opened, onClose }) => (
      <CreateIntegration
        opened={opened}
        way={way}
        onClose={(isCreated) => {
          onClose();
          if (isCreated) void navigate('/integrations');
        }}
      />
    ));
  return (
    <Page
      title={t('newTitle')}
      description={t('newDescription')}
      parents={[{ title: t('integrations'), to: '/integrations' }]}
    >
      <RoleGate ability="integrations">
        {source === undefined ? (
          <ProviderCards onChoose={setSource} onSend={create} />
        ) : (
          <>
            <Steps current="credentials" />
            <CredentialsStep
              {...source}
              onStored={(id) => void navigate(`/integrations/${id}/setup`, { replace: true })}
              onBack={() => setSource(undefined)}
            />
          </>
        )}
        {dialog}
      </RoleGate>
    </Page>
  );
}
