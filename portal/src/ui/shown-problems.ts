import { useEffect } from 'react';

/** The errors that some page has shown. */
const shown = new WeakSet<Error>();

export const markShown = (error: unknown) => void (error instanceof Error && shown.add(error));

export const wasShown = (error: unknown) => error instanceof Error && shown.has(error);

/** Says that the component shows the error, so that no notification repeats it. */
export const useShown = (error: unknown) => useEffect(() => markShown(error), [error]);
