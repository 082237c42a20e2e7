/** How many runs a property test has: `many` in `npm run test:long`, which sets MANY_RUNS. */
export const runs = (few: number, many: number): number =>
  process.env['MANY_RUNS'] === undefined ? few : many
