import type { Environment } from './enums.ts';

/** What is made outside of production is valid nowhere, and says so on every page, pass and code. */
export const isTestIn = (environment: Environment): boolean => environment !== 'production';

/** In both languages, whatever the language of the page is: inspectors and banks read it too. */
export const testMark = 'TEST – nicht gültig · TEST – not valid';
