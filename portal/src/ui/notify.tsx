import { notifications } from '@mantine/notifications';
import { ApiProblem } from '../app/api/request.ts';
import { useCommonTexts } from '../app/i18n/common.ts';
import { ProblemText } from './MessageText.tsx';

/** Says that something was done. */
export const notifyDone = (message: string) => notifications.show({ color: 'teal', message });

/** Returns a function that says why something failed, for actions that have no place of their own for it. */
export function useNotifyProblem() {
  const t = useCommonTexts();
  return (error: unknown, otherwise = t('offline')) =>
    notifications.show({
      color: 'red',
      title: t('problemTitle'),
      message: error instanceof ApiProblem ? <ProblemText problem={error} /> : otherwise,
    });
}
