import { describe, expect, it } from 'vitest'
import { isOfFilledIn, placeOf, readPackText } from '../../src/portal/screens/rulePacks/packText.ts'

const text = `{
  "id": "house",
  "rules": [
    { "ruleId": "a", "when": "true &&\\n\\u0020 certificate.grade > 3.0" },
    { "ruleId": "{n}", "when": "x > {n}", "each": [{ "n": "1" }] }
  ],
  "tables": { "a/b": { "about": "slash", "values": 1 } }
}`

/** Return the text at a place. */
const at = (offset: number, length: number) => text.slice(offset, offset + length)

describe('the text of a rule pack', () => {
  it('is read as its document', () => {
    const { document, faults } = readPackText(text)
    expect(document).toEqual(JSON.parse(text))
    expect(faults).toEqual([])
  })

  it.each([
    ['{\n  "id" "house"\n}', 2, 8, 'jsonColonExpected'],
    ['{\n  "id": "house"\n  "name": "House"\n}', 3, 3, 'jsonCommaExpected'],
    ['{\n  "id": \n}', 3, 1, 'jsonValueExpected'],
    ['{\n  // why\n  "id": "house"\n}', 2, 3, 'jsonComment'],
    ['{ "id": "house"', 1, 16, 'jsonBraceExpected'],
    ['', 1, 1, 'jsonValueExpected'],
  ])('%j has a fault with its place', (faulty, line, column, name) => {
    const { document, faults } = readPackText(faulty)
    expect(document).toBeUndefined()
    expect(faults[0]).toMatchObject({ line, column, text: name })
    expect(new Set(faults.map((fault) => fault.line)).size).toBe(faults.length)
  })

  it('shows a fault at the member that its pointer names', () => {
    expect(placeOf(text, { pointer: '#/id', message: '' })).toMatchObject({ line: 2, column: 9 })
    expect(at(placeOf(text, { pointer: '#/tables/a~1b/values', message: '' }).offset, 1)).toBe('1')
    expect(at(placeOf(text, { pointer: '#/rules/1/ruleId', message: '' }).offset, 5)).toBe('"{n}"')
  })

  it('shows a fault of a missing member at the object that lacks it', () => {
    expect(placeOf(text, { pointer: '#/rules/0/clause', message: '' })).toMatchObject({ line: 4, column: 5 })
    expect(placeOf(text, { pointer: '#/tags', message: '' })).toMatchObject({ line: 1, column: 1 })
  })

  it('shows a fault of an expression at its character, also after escapes', () => {
    const fault = { pointer: '#/rules/0/when', message: '', line: 2, column: 3 }
    const place = placeOf(text, fault)
    expect(place.line).toBe(4)
    expect(at(place.offset, 17)).toBe('certificate.grade')
    expect(isOfFilledIn(text, fault)).toBe(false)
  })

  it('shows a fault of a rule with words at the beginning of its expression', () => {
    const fault = { pointer: '#/rules/1/when', message: '', line: 1, column: 5 }
    expect(at(placeOf(text, fault).offset, 9)).toBe('"x > {n}"')
    expect(isOfFilledIn(text, fault)).toBe(true)
  })
})
