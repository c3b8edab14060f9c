/**
 * How much a run tries. `npm test` tries a little of everything within minutes; `npm run test:all` tries everything, at
 * its full size.
 */
export const isFullRun = process.env.HEATMARK_TEST_ALL === '1'

/** Return the size for this run. */
export function sized<Size>(usual: Size, full: Size): Size {
  return isFullRun ? full : usual
}

/** The cases of a property that takes microseconds for one. */
export const cases = sized(100, 10_000)
