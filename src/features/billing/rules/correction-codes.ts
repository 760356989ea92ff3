/** Reasons of corrections that have a sentence in every language. An operator can write any other text instead. */
export const correctionReasons = ['refunded', 'charged-twice', 'left', 'wrong-plan'] as const;
