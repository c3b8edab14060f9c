import { readFileSync } from 'node:fs'
import type { Certificate } from './steelLimits.ts'

type LineItem = { lineNumber: number; grade: string; lengthMm: number; quantity: number }
export type Order = {
  orderNumber: string
  executionClass?: string
  requiredInspectionDocument?: string
  lineItems: LineItem[]
}
export type Tag = { family: 'millCert' | 'order'; name: string; severity: string | null }
type Cut = { orderNumber: string; lineNumber: number; lengthMm: number; pieces: number; status: string }
export type Bar = {
  stockLengthMm: number
  grade: string
  status: string
  certificateNumber?: string
  heatNumber?: string
  cuts: Cut[]
}
export type Plan = { name: string; bars: Bar[] }
type Assignments = {
  certificates: { certificateNumber: string; heatNumber: string; tags: string[] }[]
  orders: { orderNumber: string; tags: string[] }[]
}

const folder = new URL('../../examples/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')

export const certificates: Certificate[] = JSON.parse(read('certificates.json'))
export const orders: Order[] = JSON.parse(read('orders.json'))
export const tags: Tag[] = JSON.parse(read('tags.json'))
export const assignments: Assignments = JSON.parse(read('assignments.json'))
export const plans: Plan[] = JSON.parse(read('plans.json'))
export const readme = read('README.md')

export const certificateKey = (c: { certificateNumber?: string; heatNumber?: string }) =>
  `${c.certificateNumber} of heat ${c.heatNumber}`

/** The rows of the table under that heading of examples/README.md, a row as its cells. */
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
