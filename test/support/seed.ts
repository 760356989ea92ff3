/**
 * The seed of everything random in the tests. It is fixed, so that a run repeats the one before. `TEST_SEED=… npm test`
 * sets another.
 */
export const seed = Number(process.env.TEST_SEED ?? 1);
