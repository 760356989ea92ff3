import { Select } from '@mantine/core';
import type { EmployeeDetails } from '../../../../src/features/employees/contract.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Dialog, type DialogState } from '../../ui/Dialog.tsx';
import { Form, useChangeForm } from '../../ui/Form.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { Hint } from '../../ui/text.tsx';
import { useAssignPolicy, usePolicies } from './api.ts';
import { texts } from './texts.ts';

/** Assigns a policy to an employee by hand, or leaves it to their group again. */
export function AssignPolicy({ details, opened, onClose }: DialogState & { details: EmployeeDetails }) {
  const { t } = useReader(texts);
  const { employee, policy } = details;
  const policies = usePolicies().data?.policies ?? [];
  const form = useChangeForm({
    initial: { policyId: policy?.reason === 'by-hand' ? String(policy.id) : '' },
    change: useAssignPolicy(employee.id),
    input: ({ policyId }) => ({ policyId: policyId === '' ? null : Number(policyId) }),
    onDone() {
      onClose();
      notifyDone(t('assigned'));
    },
  });
  const name = `${employee.firstName} ${employee.lastName}`;
  return (
    <Dialog opened={opened} onClose={onClose} title={t('assignTitle', { name })}>
      <Form of={form} submitLabel={t('save')} disabled={policies.length === 0} onCancel={onClose}>
        <Select
          {...form.field('policyId', t('policy'))}
          data={[
            { value: '', label: t('automatic') },
            ...policies.map((one) => ({ value: String(one.id), label: one.name })),
          ]}
          allowDeselect={false}
        />
        <Hint>{t('assignHint')}</Hint>
      </Form>
    </Dialog>
  );
}
