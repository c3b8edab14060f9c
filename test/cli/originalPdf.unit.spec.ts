import { expect, it } from 'vitest'
import { readExamples } from '../../src/cli/demo/examples.ts'
import { originalPdf } from '../../src/cli/demo/originalPdf.ts'

/** The originals that the demo makes. */

const [example] = readExamples().certificates

it('has equal bytes for equal data, and others for other data', async () => {
  const pdf = await originalPdf(example!)
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pdf.equals(await originalPdf({ ...example! }))).toBe(true)
  expect(pdf.equals(await originalPdf({ ...example!, heatNumber: 'another' }))).toBe(false)
})
