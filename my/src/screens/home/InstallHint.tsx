import { useSyncExternalStore } from 'react';
import { useReader } from '../../reader.tsx';
import { Button, Notice } from '../../ui/parts.tsx';

/** What Chromium sends when the page can be installed. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

let offer: InstallEvent | undefined;
const listeners = new Set<() => void>();
const changeTo = (next: InstallEvent | undefined) => {
  offer = next;
  for (const listener of listeners) listener();
};
window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  changeTo(event as InstallEvent);
});
window.addEventListener('appinstalled', () => changeTo(undefined));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Offers to put the page on the home screen, where the browser can do that. */
export function InstallHint() {
  const { t } = useReader();
  const current = useSyncExternalStore(subscribe, () => offer);
  if (current === undefined) return null;
  return (
    <Notice left="phone">
      <p>{t('install')}</p>
      <Button
        look="quiet"
        label={t('installAction')}
        onClick={() => void current.prompt().finally(() => changeTo(undefined))}
      />
    </Notice>
  );
}
