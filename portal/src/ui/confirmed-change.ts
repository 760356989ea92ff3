import { notifications } from '@mantine/notifications';
import type { UseMutationResult } from '@tanstack/react-query';

/**
 * Connects a change to a ConfirmModal: returns the props that the modal needs, and a function that carries out the
 * change. Closing the modal clears the error.
 */
export function useConfirmedChange<Input>(change: UseMutationResult<unknown, Error, Input>, leave: () => void) {
  const close = () => {
    change.reset();
    leave();
  };
  return {
    modalProps: { onClose: close, pending: change.isPending, error: change.error },
    /**
     * Awaits the mutation instead of passing callbacks. The component may be unmounted when the change is done, and its
     * callbacks would then not run.
     */
    async execute(input: Input, done: string): Promise<void> {
      try {
        await change.mutateAsync(input);
      } catch {
        // The modal stays open and shows `error`.
        return;
      }
      close();
      notifications.show({ color: 'teal', message: done });
    },
  };
}
