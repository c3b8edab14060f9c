import { readFileSync } from 'node:fs'
import { type ExampleOrder, type ExampleOriginal, readExamples } from '../../src/cli/demo/examples.ts'

/** An order with the members that the specs read. */
type Order = Omit<ExampleOrder, 'lineItems'> & {
  lineItems: { lineNumber: number; grade: string; lengthMm: number; quantity: number }[]
}

const examples = readExamples()
export const certificates = examples.certificates as ExampleOriginal[]
export const orders = examples.orders as Order[]
export const { tags, assignments, plans, findings } = examples
export const readme = readFileSync(new URL('../../examples/README.md', import.meta.url), 'utf8')

export function certificateKey(c: { certificateNumber?: string; heatNumber?: string }) {
  return `${c.certificateNumber} of heat ${c.heatNumber}`
}

/** Return the rows of the table under that heading of examples/README.md, each as its cells. */
export function tableUnder(heading: string): string[][] {
  const section = readme.split(/^## /m).find((text) => text.startsWith(heading))
  if (!section) throw new Error(`examples/README.md has no heading "${heading}"`)
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}
