/** Limits how much runs at the same time. */
export interface Slots {
  /** Waits for a free slot, and returns how to free it. */
  take(): Promise<() => void>;
}

export function createSlots(size: number): Slots {
  let free = size;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return {
    async take() {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return release;
    },
  };
}

/** Does the work in a slot. */
export async function inSlot<T>(slots: Slots, work: () => Promise<T>): Promise<T> {
  const free = await slots.take();
  try {
    return await work();
  } finally {
    free();
  }
}
