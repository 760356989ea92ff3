import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { useMemberships, useRequestAddressProof } from '../memberships.ts';
import { texts } from './texts.ts';

/** Tells a user whose address is not proven what that means, and mails the link that proves it. */
export function AddressProof({ email }: { email: string }) {
  const t = useTexts(texts);
  const { data } = useMemberships();
  const request = useRequestAddressProof();
  if (data === undefined || data.isProven) return null;
  return (
    <Stack align="flex-start" gap="xs" mt="md">
      <Text size="sm">{t(data.mayProve ? 'unproven' : 'unprovenWithoutMail')}</Text>
      <ProblemAlert error={request.error} />
      {request.isSuccess && (
        <Alert color="teal" role="status">
          {t('proofSent', { email })}
        </Alert>
      )}
      {data.mayProve && !request.isSuccess && (
        <Button variant="light" size="xs" onClick={() => request.mutate()} loading={request.isPending}>
          {t('sendProof')}
        </Button>
      )}
    </Stack>
  );
}
