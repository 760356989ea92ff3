import { notifications } from '@mantine/notifications';
import type { UseMutationResult } from '@tanstack/react-query';

/**
 * A change that a ConfirmModal asks about: what it needs of the change, and how to carry it out. Closing forgets what
 * went wrong.
 */
export function useConfirmedChange<Input>(change: UseMutationResult<unknown, Error, Input>, leave: () => void) {
  const close = () => {
    change.reset();
    leave();
  };
  return {
    asked: { onClose: close, pending: change.isPending, error: change.error },
    /** Awaited rather than called back: whoever asked may be gone when it is done, and callbacks with him. */
    async carryOut(input: Input, done: string): Promise<void> {
      try {
        await change.mutateAsync(input);
      } catch {
        // The modal stays and tells `error`.
        return;
      }
      close();
      notifications.show({ color: 'teal', message: done });
    },
  };
}
