/**
 * Returns how many random inputs an expensive property gets: all of them in `npm run test:slow`, a sixth in `npm test`,
 * where the seed is fixed and more of them would find nothing new.
 */
export const runsOf = (all: number) => (process.env.TEST_RUNS === 'all' ? all : Math.ceil(all / 6));
