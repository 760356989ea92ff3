import { createHook } from 'node:async_hooks';

/**
 * Keeps node:test from following every promise, which takes a sixth of the processor time of a run. It only serves to
 * name the test of an error that nothing has caught. Such an error fails the file without it, too.
 */
export function followNoPromises(): void {
  const hook = createHook({ trackPromises: false });
  const fields = hook as unknown as Record<symbol, unknown>;
  const isUntracked = Object.getOwnPropertySymbols(hook).find((symbol) => fields[symbol] === true);
  // Another version of Node may mark such a hook differently. The tests then only take longer.
  if (isUntracked === undefined) return;
  const prototype = Object.getPrototypeOf(hook);
  const { enable } = prototype;
  prototype.enable = function enableWithoutPromises() {
    this[isUntracked] = true;
    return enable.call(this);
  };
}
