import { expect, it } from 'vitest'
import { certificateFields } from '../../src/domain/certificates/certificateContent.ts'
import { inputsOf } from '../../src/portal/kit/declaredFields.ts'
import { comparisonsOf, lineConditionNames, withRule } from '../../src/portal/screens/rulePacks/addRule.ts'
import { packTemplate } from '../../src/portal/screens/rulePacks/packTemplate.ts'
import { checkOwnRulePack } from '../../src/rulePacks/ownRules/check.ts'

const inputs = inputsOf(certificateFields, {})
const everywhere = { onlyFor: '', ofLine: '' } as const
const inputOf = (path: string) => inputs.find((one) => one.path === path)!

it.each([
  ['thicknessMm', 'above', '80', 'certificate.thicknessMm > 80.0'],
  ['chemistry.Cu', 'above', '0,35', 'certificate.chemistry.Cu > 0.35'],
  ['manufacturer', 'isNot', 'A "B" works', 'certificate.manufacturer != "A \\"B\\" works"'],
] as const)('a rule on %s says what the form says', (path, comparison, value, when) => {
  const rule = { path, comparison, value, name: 'Thick', severity: 'Flag', ...everywhere }
  const pack = withRule(JSON.parse(packTemplate), inputOf(path), rule)
  // The template has a tag of this key.
  expect(pack).toMatchObject({
    id: 'house-limits',
    tags: [{ key: 'thick' }, { key: 'thick-2', name: 'Thick', severity: 'Flag' }],
    rules: [{ ruleId: 'thick' }, { ruleId: 'thick-2', tag: 'thick-2', when }],
  })
})

it.each(lineConditionNames)(
  'a rule on lines of one kind alone is one that the service takes: %s',
  (onlyFor) => {
    const rule = {
      path: 'thicknessMm',
      comparison: 'above',
      value: '30',
      name: 'Thick',
      severity: 'Block',
    } as const
    const pack = withRule(JSON.parse(packTemplate), inputOf('thicknessMm'), {
      ...rule,
      onlyFor,
      ofLine: 'PL "A"',
    })
    expect(pack).toMatchObject({
      tags: [{ key: 'thick' }],
      pairRules: [{ ruleId: 'thick-2', severity: 'Block' }],
    })
    expect(checkOwnRulePack(pack as never).faults).toEqual([])
  },
)

it('a number has a limit, and a text is another one or not', () => {
  expect(comparisonsOf(inputOf('thicknessMm'))).toEqual(['above', 'below'])
  expect(comparisonsOf(inputOf('grade'))).toEqual(['is', 'isNot'])
})
