/** The file that the pages load for German. */

export { de as texts } from './de.ts'
export { problemTitle } from './problems.ts'
export { problemText } from './problemTexts.ts'
