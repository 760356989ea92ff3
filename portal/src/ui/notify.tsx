import type { ReactNode } from 'react';
import { ApiProblem } from '../app/api/request.ts';
import { useReader } from '../app/i18n/reader.ts';
import { createStore } from '../app/shell/store.ts';
import { ProblemText } from './MessageText.tsx';

export interface Notice {
  id: number;
  color: 'teal' | 'red';
  title?: ReactNode;
  message: ReactNode;
}

/** What is shown above every page for a while. */
export const notices = createStore<readonly Notice[]>([]);

let lastId = 0;
const show = (notice: Omit<Notice, 'id'>) => notices.set([...notices.get(), { ...notice, id: ++lastId }].slice(-5));

/** Says that something was done. */
export const notifyDone = (message: string) => show({ color: 'teal', message });

const Title = () => useReader().t('problemTitle');
const Offline = () => useReader().t('offline');
const NotAllowed = () => useReader().t('notAllowed');

/** Says why something failed, for actions that have no place of their own for it. */
export function notifyProblem(error: unknown, otherwise: ReactNode = <Offline />): void {
  const isForbidden = error instanceof ApiProblem && error.code === 'missing-role';
  const reason = error instanceof ApiProblem ? <ProblemText problem={error} /> : otherwise;
  show({ color: 'red', title: <Title />, message: isForbidden ? <NotAllowed /> : reason });
}
