import type { Sso } from '../../../../../src/features/accounts/sso/contract.ts';
import '../../../ui/records/records.css';
import { Badge, Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { useCheckDomain, useClaimDomain, useRemoveDomain } from './api.ts';
import { texts } from './texts.ts';

function DomainRow({ domain: { domain, isProven, recordName, recordValue } }: { domain: Sso['domains'][number] }) {
  const t = useTexts(texts);
  const check = useCheckDomain();
  const remove = useRemoveDomain();
  return (
    <Stack gap={4} component="li">
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {domain}
        </Text>
        <Badge color={isProven ? 'teal' : 'orange'}>{t(isProven ? 'proven' : 'unproven')}</Badge>
        {!isProven && (
          <Button size="compact-xs" variant="light" onClick={() => check.mutate(domain)} loading={check.isPending}>
            {t('check')}
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="subtle"
          color="red"
          aria-label={t('removeOf', { domain })}
          onClick={() => remove.mutate(domain)}
          loading={remove.isPending}
        >
          {t('remove')}
        </Button>
      </Group>
      {!isProven && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {t('record', { name: recordName, value: recordValue })}
        </Text>
      )}
      <ProblemAlert error={check.error ?? remove.error} />
    </Stack>
  );
}

export function Domains({ domains }: Pick<Sso, 'domains'>) {
  const t = useTexts(texts);
  const claim = useClaimDomain();
  const [domain, setDomain] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    claim.mutate(domain, { onSuccess: () => setDomain('') });
  };
  return (
    <Card>
      <Stack>
        <Title order={2}>{t('domains')}</Title>
        <Text size="sm">{t('domainsHint')}</Text>
        <Stack component="ul" className="plain-list" gap="sm">
          {domains.map((one) => (
            <DomainRow key={one.domain} domain={one} />
          ))}
        </Stack>
        <ProblemAlert error={claim.error} />
        <form onSubmit={submit}>
          <Group align="flex-end" gap="xs">
            <TextInput
              label={t('domain')}
              value={domain}
              onChange={(event) => setDomain(event.currentTarget.value)}
              required
              withAsterisk={false}
              maxLength={253}
              placeholder="example.com"
            />
            <Button type="submit" variant="light" loading={claim.isPending}>
              {t('addDomain')}
            </Button>
          </Group>
        </form>
      </Stack>
    </Card>
  );
}
