import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { ownDocument } from '../../rulePacks/ownDocument.ts'
import { packs } from '../../rulePacks/shipped.ts'
import { document } from '../../support/operations.ts'

const schema = { $ref: '#/components/schemas/RulePackDocument', components: document.components }
const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
const faultsOf = (value: unknown) => (validate(value) ? [] : validate.errors!.map((one) => one.instancePath))

it('is described as shipped packs are', () => {
  expect(packs.flatMap(({ document }) => faultsOf(document))).toEqual([])
  expect(faultsOf({ ...packs[0]!.document, rules: [{}] })).toContain('/rules/0')
})

it('is described as a company may write it: with rules on pairs, or none at all', () => {
  const rule = { ruleId: 'long', severity: 'Flag', when: 'true', clause: '1', explanation: 'Long.' }
  const { tables: _, definitions: __, ...empty } = { ...ownDocument, tags: [], rules: [] }
  expect(faultsOf({ ...empty, pairRules: [rule] })).toEqual([])
  expect(faultsOf({ ...empty, pairRules: [{ ...rule, severity: 'Stop' }] })).toEqual([
    '/pairRules/0/severity',
  ])
})
