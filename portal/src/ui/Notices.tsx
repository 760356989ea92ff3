import { Notification, Portal } from '@mantine/core';
import { useHover } from '@mantine/hooks';
import { useEffect } from 'react';
import { useReader } from '../app/i18n/reader.ts';
import { type Notice, notices } from './notify.tsx';

const shownFor = 5_000;

/** Goes by itself, but not while somebody points at it. */
function OneNotice({ id, color, title, message }: Notice) {
  const { t } = useReader();
  const { ref, hovered } = useHover();
  const close = () => notices.set(notices.get().filter((other) => other.id !== id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what closes it is the same each time.
  useEffect(() => {
    if (hovered) return;
    const timer = setTimeout(close, shownFor);
    return () => clearTimeout(timer);
  }, [hovered]);
  return (
    <Notification
      ref={ref}
      role={color === 'red' ? 'alert' : 'status'}
      color={color}
      title={title}
      withBorder
      onClose={close}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {message}
    </Notification>
  );
}

/** Places notices so that they do not cover the head of a page, whose buttons the user may need next. */
export function Notices() {
  const shown = notices.use();
  return (
    <Portal>
      <div className="notices">
        {shown.map((notice) => (
          <OneNotice key={notice.id} {...notice} />
        ))}
      </div>
    </Portal>
  );
}
