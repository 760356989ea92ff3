import { Alert } from '@mantine/core';
import type { CheckedDelivery } from '../../../../src/features/issuers/contract.ts';
import { IconAlertTriangle } from '../../ui/icons.gen.ts';
import { MessageText } from '../../ui/MessageText.tsx';

/** Says what is wrong with how lists are exchanged. */
export function DeliveryProblems({ title, problems }: { title: string } & Pick<CheckedDelivery, 'problems'>) {
  return (
    <Alert color="orange" title={title} icon={<IconAlertTriangle size={18} />} role="alert">
      {problems.map((message) => (
        <div key={JSON.stringify(message)}>
          <MessageText message={message} />
        </div>
      ))}
    </Alert>
  );
}
