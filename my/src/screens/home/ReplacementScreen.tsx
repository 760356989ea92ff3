import { useState } from 'react';
import type { ReplacedTicket, ReplacementBody } from '../../../../src/features/tickets/my-contract.ts';
import { post } from '../../api/call.ts';
import { useReader } from '../../reader.tsx';
import { Link } from '../../router.tsx';
import { refresh } from '../../state.ts';
import { Button, Card, Notice, Problem, Screen, useAction } from '../../ui/parts.tsx';

const texts = {
  unreadable: ['replaceUnreadableTitle', 'replaceUnreadableText'],
  'new-phone': ['replacePhoneTitle', 'replacePhoneText'],
} as const;

/** Replaces the ticket by one with another code. */
export function ReplacementScreen({ reason, ticketId }: ReplacementBody) {
  const { t } = useReader();
  const [replaced, setReplaced] = useState<ReplacedTicket>();
  const [title, text] = texts[reason];
  const { run, isBusy, error } = useAction(async () => {
    const result = await post<ReplacedTicket>('/ticket/replacement', {
      reason,
      ...(ticketId === undefined ? {} : { ticketId }),
    } satisfies ReplacementBody);
    await refresh();
    setReplaced(result);
  });
  if (replaced !== undefined) {
    return (
      <Screen title={t(replaced.ticket === null ? 'replacedOrderedTitle' : 'replacedTitle')} step="done">
        <Notice look="good" left="check" isStatus>
          {replaced.ticket === null && <p>{t('replacedOrderedText')}</p>}
          <p>{t('replacedRemaining', { count: replaced.remaining })}</p>
        </Notice>
        <Link to="/" className="button primary">
          {t('toTicket')}
        </Link>
      </Screen>
    );
  }
  return (
    <Screen title={t(title)} hint={t(text)} back="/">
      <Card>
        <p>{t('replaceEffect')}</p>
        <Problem error={error} />
        <Button label={t('replaceConfirm')} isBusy={isBusy} onClick={() => void run()} />
      </Card>
    </Screen>
  );
}
