/**
 * The seed of everything random in the tests. It is fixed, so that a run repeats the one before. `TEST_SEED=… npm test`
 * sets another.
 */
export const seed = Number(process.env.TEST_SEED ?? 1);

/**
 * Returns how many random inputs a dear property gets: all of them in `npm run test:slow`, a third in `npm test`, where
 * the seed is fixed and more of them would find nothing new.
 */
export const runsOf = (all: number) => (process.env.TEST_RUNS === 'all' ? all : Math.ceil(all / 3));
