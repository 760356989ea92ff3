import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Provider } from '../../../../../src/domain/enums.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { Page } from '../../../ui/layout.tsx';
import { RoleGate } from '../../../ui/Query.tsx';
import { useCreateIntegration } from '../api.ts';
import { CreateIntegration } from '../CreateIntegration.tsx';
import { useConnect } from '../connections.ts';
import { CredentialsStep, type NewCredentials, ProviderCards, useProviderTitle } from './credentials.tsx';
import { Steps } from './steps.tsx';
import { texts } from './texts.ts';

/**
 * Creates the integration when its credentials are submitted, so that nothing is left behind by somebody who only looks.
 * Credentials that are refused can be corrected here: the integration is created once.
 */
function NewConnection({ provider, isDemo, onBack }: { provider: Provider; isDemo: boolean; onBack(): void }) {
  const navigate = useNavigate();
  const title = useProviderTitle()(provider);
  const creation = useCreateIntegration();
  const connect = useConnect();
  const submit = async ({ name, credentials }: NewCredentials) => {
    const { id } = creation.data ?? (await creation.mutateAsync({ name, type: 'hr-integration' }));
    const { isStored } = await connect.mutateAsync({ id, provider, credentials });
    if (isStored) await navigate(`/integrations/${id}/setup`, { replace: true });
  };
  const change = {
    mutateAsync: submit,
    isPending: creation.isPending || connect.isPending,
    error: creation.error ?? connect.error,
  };
  return (
    <>
      <Steps current="credentials" />
      <CredentialsStep
        provider={provider}
        isDemo={isDemo}
        title={title}
        asksName={creation.data === undefined}
        change={change}
        refused={connect.data?.isStored === false ? connect.data : undefined}
        onBack={onBack}
      />
    </>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<{ provider: Provider; isDemo: boolean }>();
  const [opened, { open, close }] = useDisclosure(false);
  const [way, setWay] = useState<'api' | 'upload'>('api');
  const openFor = (next: 'api' | 'upload') => {
    setWay(next);
    open();
  };
  return (
    <Page
      title={t('newTitle')}
      description={t('newDescription')}
      parents={[{ title: t('integrations'), to: '/integrations' }]}
    >
      <RoleGate ability="integrations">
        {chosen === undefined ? (
          <ProviderCards
            onChoose={(provider, isDemo) => setChosen({ provider, isDemo })}
            onApi={() => openFor('api')}
            onUpload={() => openFor('upload')}
          />
        ) : (
          <NewConnection {...chosen} onBack={() => setChosen(undefined)} />
        )}
        <CreateIntegration
          opened={opened}
          way={way}
          onClose={(isCreated) => {
            close();
            if (isCreated) void navigate('/integrations');
          }}
        />
      </RoleGate>
    </Page>
  );
}
