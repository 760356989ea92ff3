import { Alert, Anchor, Button, Group, List, Modal, ScrollArea, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { Link } from 'react-router';
import { usePayrollCheck } from '../../api/billing.ts';
import { exportPayrollPath } from '../../api/operations.gen.ts';
import type { PayrollCheck } from '../../api/types.gen.ts';
import { ProblemAlert } from '../../components/ProblemAlert.tsx';
import { useCommonTexts } from '../../i18n/common.ts';
import { useTexts } from '../../i18n/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';

/** The limit of the API. */
const maxNamed = 100;

function startDownload(address: string) {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

function Warning({ withoutHrId }: Pick<PayrollCheck, 'withoutHrId'>) {
  const t = useTexts({ en, de });
  const count = withoutHrId.length;
  return (
    <Stack gap="sm">
      <Alert color="orange" icon={<IconAlertTriangle size={18} />}>
        {count < maxNamed ? t('warnText', { count }) : t('warnMore', { count })}
      </Alert>
      <ScrollArea.Autosize mah={220} type="auto" tabIndex={0}>
        <List size="sm" spacing={4}>
          {withoutHrId.map(({ employeeId, name }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: removed employees have neither id nor name.
            <List.Item key={index}>
              {employeeId === null ? (
                name || t('unnamed')
              ) : (
                <Anchor component={Link} to={`/employees/${employeeId}`} size="sm">
                  {name || t('unnamed')}
                </Anchor>
              )}
            </List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
      <Text size="sm" c="dimmed">
        {t('warnHint')}
      </Text>
    </Stack>
  );
}

/** Checks first whether every line would have an HR id. If so, the download starts at once. */
export function PayrollButton({ period }: { period: string }) {
  const t = useTexts({ en, de });
  const common = useCommonTexts();
  const check = usePayrollCheck(period);
  const [opened, { open, close }] = useDisclosure(false);
  const download = ({ lines, withoutHrId }: PayrollCheck) => {
    startDownload(exportPayrollPath(period));
    const message = t(withoutHrId.length === 0 ? 'payrollStarted' : 'payrollDraft', { count: lines });
    notifications.show({ color: 'teal', message });
  };
  const checkAndDownload = () =>
    check.mutate(undefined, {
      onSuccess: (file) => {
        if (file.lines === 0) notifications.show({ color: 'yellow', message: t('payrollNone') });
        else if (file.withoutHrId.length === 0) download(file);
        else open();
      },
      onError: open,
    });
  return (
    <>
      <Button leftSection={<IconDownload size={16} aria-hidden />} onClick={checkAndDownload} loading={check.isPending}>
        {t('payroll')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={check.error ? t('payroll') : t('warnTitle')}
        closeButtonProps={{ 'aria-label': common('close') }}
      >
        <Stack>
          <ProblemAlert error={check.error} />
          {check.data && <Warning withoutHrId={check.data.withoutHrId} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {common('cancel')}
            </Button>
            {check.data && (
              <Button
                onClick={() => {
                  if (check.data) download(check.data);
                  close();
                }}
              >
                {t('download')}
              </Button>
            )}
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
