import { describe, expect, it } from 'vitest'
import { checkOwnRulePack } from '../../../src/rulePacks/ownRules/check.ts'
import type { PackContent } from '../../../src/rulePacks/rulePack.ts'
import { ownDocument } from '../ownDocument.ts'

/** One answer lists the faults of size and of expressions, also where the shape of the document has faults. */

const [thick, long] = ownDocument.rules
const [thickTag, longTag] = ownDocument.tags
const [isThick] = ownDocument.definitions
const faulty = 'certificate.grade > 3.0'

/** A document that may have any shape. */
const faultsOf = (changed: object) =>
  checkOwnRulePack({ ...ownDocument, ...changed } as unknown as PackContent).faults.map(
    ({ path, code }) => `${path.join('/')} ${code}`,
  )

it('lists faults of size beside those of names and expressions', () => {
  const rules = [
    {
      ...thick,
      ruleId: 'long-{word}',
      when: `${faulty} || "{word}" == ""`,
      each: [{ word: 'a'.repeat(61) }],
    },
    { ...long, ruleId: 'not-judged', when: 'order.nothing == ""' },
  ]
  expect(faultsOf({ rules, name: 'Ours\u001b[2K' })).toEqual([
    'rules/0/ruleId out-of-bounds',
    'rules/1/ruleId not-unique',
    'name wrong-format',
    'rules/0/when faulty-expression',
    'rules/1/when faulty-expression',
  ])
})

it('compiles nothing of more than 100 rules', () => {
  const each = Array.from({ length: 100 }, (_, n) => ({ word: `${n}` }))
  expect(faultsOf({ rules: [{ ...thick, ruleId: 'is-{word}', when: faulty, each }, long] })).toEqual([
    'rules out-of-bounds',
  ])
})

it.each([
  ['a text of 201 characters', `order.orderNumber == '${'a'.repeat(201)}'`, 'out-of-bounds'],
  [
    'too many steps',
    'order.lineItems.exists(a, order.lineItems.exists(b, a.lengthMm > b.lengthMm))',
    'too-costly',
  ],
  ['a function that has no bound', 'order.orderNumber.matches("(a+)+$")', 'faulty-expression'],
])('refuses %s in an expression', (_, when, code) =>
  expect(faultsOf({ rules: [thick, { ...long, when }] })).toEqual([`rules/1/when ${code}`]),
)

describe('a document whose shape has faults', () => {
  const wrong = [{ ...thick, when: faulty, clause: 7, note: 'x' }, long]
  it.each<[string, object, readonly string[]]>([
    [
      'no color of a tag',
      { tags: [{ ...thickTag, color: 1 }, longTag], rules: wrong },
      ['rules/0/when faulty-expression'],
    ],
    ['a name that is no text', { name: 5, rules: wrong }, ['rules/0/when faulty-expression']],
    ['a member that is not known', { edition: '1', rules: wrong }, ['rules/0/when faulty-expression']],
    [
      'a tag that no rule assigns',
      {
        rules: [
          { ...thick, ruleId: 'A' },
          { ...long, family: 'millCert' },
        ],
      },
      ['rules/1/tag not-one-of', 'rules/1/when faulty-expression'],
    ],
  ])('is checked as far as its shape is right: %s', (_, changed, faults) =>
    expect(faultsOf(changed)).toEqual(faults),
  )

  it.each<[string, object]>([
    ['rules that are no list', { rules: 'x' }],
    ['a rule that is no object', { rules: [null, long] }],
    ['a tag without a family', { tags: [{ ...thickTag, family: 'x' }, longTag] }],
    [
      'a tag with a faulty key',
      { tags: [{ ...thickTag, key: 'Th_ick' }, longTag], rules: [{ ...thick, tag: 'Th_ick' }, long] },
    ],
    ['a rule with a faulty tag', { rules: [{ ...thick, tag: 'Th_ick' }, long] }],
    ['a rule without a family', { rules: [{ ...thick, family: undefined }, long] }],
    ['a rule without an expression', { rules: [{ ...thick, when: '' }, long] }],
    ['words that are no texts', { rules: [{ ...thick, when: '{word}', each: [{ word: 1 }] }, long] }],
    ['a table with a text', { tables: { sawMm: { about: 'Our saw, mm', values: '80' } } }],
    ['tables that are none', { tables: 7 }],
    ['a definition with a faulty name', { definitions: [{ ...isThick, name: 'Is thick' }] }],
    ['a definition of another family', { definitions: [{ ...isThick, family: 'x' }] }],
    ['a definition without an expression', { definitions: [{ ...isThick, expression: 7 }] }],
    ['definitions that are null', { definitions: null }],
    [
      'a parameter without values',
      { parameters: { limit: { default: 1 } }, rules: [{ ...thick, when: 'limit == "1"' }, long] },
    ],
    ['a taken parameter', { parameters: { 'Not a name': 1 } }],
    ['more faults than are listed', { rules: Array(1_001).fill(1) }],
  ])('has no fault that only follows from those of its shape: %s', (_, changed) =>
    expect(faultsOf(changed)).toEqual([]),
  )
})

it('says nothing of an explanation whose value comes from a faulty definition', () => {
  const definitions = [
    { ...isThick, expression: 'certificate.thicknessMm > nothing' },
    { ...isThick, name: 'isThicker', expression: 'isThick' },
  ]
  expect(faultsOf({ definitions, rules: [{ ...thick, when: 'isThicker' }, long] })).toEqual([
    'definitions/0/expression faulty-expression',
  ])
})
