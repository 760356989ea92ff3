import { Box, Button, Card, Table, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { Users } from '../../../../../src/features/accounts/users/contract.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ConfirmModal } from '../../../ui/ConfirmModal.tsx';
import { useConfirmedChange } from '../../../ui/confirmed-change.ts';
import { EmailText } from '../../../ui/EmailText.tsx';
import { TimeText } from '../../../ui/figures.tsx';
import { useWithdrawInvitation } from './api.ts';
import { RoleBadges } from './RoleBadges.tsx';
import { texts } from './texts.ts';

type Invitation = Users['invitations'][number];

interface ModalProps {
  invitation: Invitation;
  opened: boolean;
  onClose(): void;
}

function WithdrawModal({ invitation: { id, email }, opened, onClose }: ModalProps) {
  const t = useTexts(texts);
  const { modalProps, execute } = useConfirmedChange(useWithdrawInvitation(), onClose);
  return (
    <ConfirmModal
      {...modalProps}
      opened={opened}
      onConfirm={() => execute(id, t('withdrawn', { email }))}
      title={t('withdrawTitle')}
      confirmLabel={t('withdrawSubmit')}
      inWords={{ 'not-found': t('goneMeanwhile') }}
      danger
    >
      {t('withdrawText', { email })}
    </ConfirmModal>
  );
}

export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const t = useTexts(texts);
  const [chosen, setChosen] = useState<Invitation>();
  const [opened, setOpened] = useState(false);
  return (
    <>
      {invitations.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noInvitations')}
        </Text>
      ) : (
        <Card padding={0}>
          <Table className="data-table" highlightOnHover aria-label={t('invitations')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('email')}</Table.Th>
                <Table.Th visibleFrom="sm">{t('roles')}</Table.Th>
                <Table.Th visibleFrom="sm">{t('expires')}</Table.Th>
                <Table.Th>
                  <VisuallyHidden>{t('actions')}</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {invitations.map((invitation) => (
                <Table.Tr key={invitation.id}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    <EmailText email={invitation.email} />
                    <Box hiddenFrom="sm">
                      <Text size="xs" c="dimmed" mb={6} component="div">
                        {t('expires')} <TimeText at={invitation.expiresAt} exact isRealTime />
                      </Text>
                      <RoleBadges roles={invitation.roles} />
                    </Box>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    <RoleBadges roles={invitation.roles} />
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    <TimeText at={invitation.expiresAt} exact isRealTime />
                  </Table.Td>
                  <Table.Td ta="right">
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      color="red"
                      aria-label={t('withdrawOf', { email: invitation.email })}
                      onClick={() => {
                        setChosen(invitation);
                        setOpened(true);
                      }}
                    >
                      {t('withdraw')}
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Card>
      )}
      {chosen && <WithdrawModal key={chosen.id} invitation={chosen} opened={opened} onClose={() => setOpened(false)} />}
    </>
  );
}
