import { expect, it } from 'vitest'
import { z } from 'zod'
import { number, oneOf, orNull, pick, text } from '../../../../src/domain/kernel/fields.ts'
import { lineItemFields } from '../../../../src/domain/orders/orderContent.ts'
import { answerOf, bodyOf, patchOf } from '../../../../src/http/kit/schemas/declared.ts'
import { columnsOf } from '../../../../src/imports/tables/fields.ts'
import { fieldColumns } from '../../../../src/projections/engine/schema/fieldColumns.ts'

/* A field that is declared once is a member of bodies and answers, a column of a table and a column of an import. */

const fields = {
  ...lineItemFields,
  coating: orNull(text({ most: 5, about: 'The primer.' })),
  coatingUm: orNull(number({ least: 0, most: 500, unit: 'µm' })),
  finish: oneOf('Finish', ['Blasted', 'Rolled']),
}
const line = { lineNumber: 10, lengthMm: 2900, quantity: 3, finish: 'Rolled' }

it('is checked in the body of a new record, and null when it is left out', () => {
  const body = z.strictObject(bodyOf(fields))
  expect(body.parse(line)).toMatchObject({
    coating: null,
    coatingUm: null,
    finish: 'Rolled',
    cancelled: false,
  })
  const faults = body.safeParse({ ...line, coating: 'primer', coatingUm: 501, finish: 'Painted' }).error!
    .issues
  expect(faults.map(({ path, message }) => [path[0], message])).toEqual([
    ['coating', 'must have 1 to 5 characters'],
    ['coatingUm', 'must be at most 500'],
    ['finish', 'must be one of Blasted, Rolled'],
  ])
})

it('may be left out of a change, which null clears', () => {
  const patch = z.strictObject(patchOf(fields))
  expect(patch.parse({ coating: null })).toEqual({ coating: null })
})

it('is described in the body and typed in the answer', () => {
  expect(bodyOf(fields).coating.meta()).toEqual({ description: 'The primer.' })
  expect(answerOf(fields).coatingUm.parse(null)).toBe(null)
  expect(() => answerOf(fields).finish.parse('Painted')).toThrow()
})

it('is a column of the table and of an import', () => {
  expect(fieldColumns(fields)).toMatchObject({
    coating: { type: 'text', nullable: true },
    coatingUm: { type: 'double', nullable: true },
    finish: { type: 'text', nullable: false },
  })
  const columns = columnsOf(fields, { coating: { headings: 'primer beschichtung' } })
  expect(columns.find(({ field }) => field === 'coating')?.names).toEqual(['primer', 'beschichtung'])
  expect(columns.map(({ field }) => field)).toContain('finish')
})

it('is null in an event that does not have it', () => {
  expect(pick({ coating: fields.coating, cancelled: fields.cancelled }, {})).toEqual({
    coating: null,
    cancelled: false,
  })
})
