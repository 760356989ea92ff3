import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { ApiProblem } from '../app/api/request.ts';
import { useReader } from '../app/i18n/reader.ts';
import { ProblemText } from './MessageText.tsx';

/** Says that something was done. */
export const notifyDone = (message: string) => notifications.show({ color: 'teal', message });

const Title = () => useReader().t('problemTitle');
const Offline = () => useReader().t('offline');
const NotAllowed = () => useReader().t('notAllowed');

/** Says why something failed, for actions that have no place of their own for it. */
export function notifyProblem(error: unknown, otherwise: ReactNode = <Offline />): void {
  const isForbidden = error instanceof ApiProblem && error.code === 'missing-role';
  const reason = error instanceof ApiProblem ? <ProblemText problem={error} /> : otherwise;
  notifications.show({ color: 'red', title: <Title />, message: isForbidden ? <NotAllowed /> : reason });
}
