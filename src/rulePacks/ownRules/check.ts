import { z } from 'zod'
import { faultOfLook } from '../../domain/kernel/lookAlikes.ts'
import { notJudgedRuleId } from '../../domain/rulePacks/notJudged.ts'
import type { CheckedRulePack } from '../../domain/rulePacks/ownRulePack.ts'
import { rulesOf } from '../../domain/rulePacks/rulePackRules.ts'
import { maxListedFaults } from '../../problems/requests.ts'
import type { PackFault } from '../checks.ts'
import { compileRulePack, type Limits, type RulePack } from '../compile.ts'
import { compilePairRules } from '../pairRules.ts'
import shippedSchema from '../rulePack.schema.json' with { type: 'json' }
import type { PackContent } from '../rulePack.ts'
import { soundParts } from './soundParts.ts'

/**
 * A rule pack that a company writes itself. Its document has the shape of the shipped ones, without a version, and its
 * expressions are hostile input: every evaluation of them is bounded before it starts.
 */

/** The most bytes of a document. */
export const maxDocumentBytes = 65_536
/** The most rules, with every rule written out. */
const maxRules = 100
const maxDefinitions = 100
const limits: Limits = { expressionCost: 50_000, textLength: 200, inputs: 50 }
/** In steps, for one subject. */
const maxPackCost = 200_000

/** The members that describe a shipped pack. A company may leave them out. */
const optional = ['$schema', 'edition', 'restated', 'covers', 'doesNotCover', 'version']

const { $id: _id, $schema: _schema, properties, required, ...rest } = shippedSchema
const { version: _version, ...ownProperties } = properties
const { each, ...ruleProperties } = properties.rules.items.properties

const { ruleId } = properties.rules.items.properties
const pairRules = {
  type: 'array',
  maxItems: 10,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['ruleId', 'severity', 'when', 'clause', 'explanation'],
    properties: {
      ruleId: { ...ruleId, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
      severity: properties.tags.items.properties.severity,
      when: { $ref: '#/$defs/expression' },
      clause: { $ref: '#/$defs/clause' },
      explanation: { $ref: '#/$defs/explanation' },
    },
  },
}

export const propertiesOfOwnPacks = {
  ...ownProperties,
  // A pack may have rules on pairs alone, which assign no tags.
  tags: { ...properties.tags, minItems: 0 },
  definitions: { ...properties.definitions, maxItems: maxDefinitions },
  pairRules,
  rules: {
    ...properties.rules,
    minItems: 0,
    maxItems: maxRules,
    items: {
      ...properties.rules.items,
      properties: {
        ...ruleProperties,
        each: {
          ...each,
          items: { type: 'object', additionalProperties: { type: 'string', maxLength: 200 } },
        },
      },
    },
  },
}

const ownSchema = {
  ...rest,
  title: 'A rule pack of a company',
  required: required.filter((name) => !optional.includes(name)),
  properties: propertiesOfOwnPacks,
}

export const ownRulePackSchema = schemaOf(ownSchema)

/** The shape of the next version, whose id may be left out. */
export const nextVersionSchema = schemaOf({
  ...ownSchema,
  required: ownSchema.required.filter((name) => name !== 'id'),
})

function schemaOf(schema: object): z.ZodType<PackContent> {
  return z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema) as z.ZodType<PackContent>
}

export type Checked =
  | { readonly faults: readonly PackFault[] }
  | { readonly faults: readonly []; readonly checked: CheckedRulePack }

/** Find the faults that the schema cannot express. The faults of shape, which the caller finds, are not among them. */
export function checkOwnRulePack(document: PackContent): Checked {
  const { success, error } = ownRulePackSchema.safeParse(document)
  if (success) return checkContent(document)
  // A document with so many faults is not looked at any further.
  if (error.issues.length > maxListedFaults) return { faults: [] }
  const faults = error.issues.filter(({ code }) => code !== 'unrecognized_keys').map(({ path }) => path)
  const { content, isConsequence } = soundParts(document, faults)
  return { faults: checkContent(content).faults.filter((fault) => !isConsequence(fault)) }
}

function checkContent(document: PackContent): Checked {
  const { rules, pairRules: ofPairs = [] } = document
  if (rules.length + ofPairs.length === 0)
    return {
      faults: [
        {
          path: ['rules'],
          part: 'the rules',
          code: 'out-of-bounds',
          message: 'A pack has at least one rule.',
        },
      ],
    }
  const tooMany = faultOfCount(document)
  if (tooMany) return { faults: [tooMany] }
  const faults = [...faultsOfSize(document), ...faultsOfNames(document)]
  const report = (fault: PackFault) => void faults.push(fault)
  const { hash, cost } = compileOwnRulePack(document, report)
  const pairRules = compilePairRules(document, report)
  // An expression that alone costs too much has a fault of its own.
  if (cost > maxPackCost && !faults.some(({ code }) => code === 'too-costly'))
    faults.push({
      path: ['rules'],
      part: 'the rules',
      code: 'too-costly',
      message: `All expressions of the pack together may take ${cost} steps, but the limit is ${maxPackCost}.`,
    })
  if (faults.length > 0) return { faults }
  return { faults: [], checked: { document, hash, cost, ...(pairRules.length > 0 && { pairRules }) } }
}

export function compileOwnRulePack(document: PackContent, report: (fault: PackFault) => void): RulePack {
  return compileRulePack(document, report, limits)
}

function faultsOfNames({ name, tags }: PackContent): PackFault[] {
  const names = [
    { path: ['name'], part: 'the name', text: name },
    ...tags.map((tag, index) => ({ path: ['tags', index, 'name'], part: `tag ${tag.key}`, text: tag.name })),
  ]
  return names
    .map((named) => ({ ...named, fault: faultOfLook(named.text) }))
    .filter(({ fault }) => fault !== undefined)
    .map(({ path, part, fault }) => ({ path, part, code: 'wrong-format', message: `A name ${fault}.` }))
}

/** The most characters of a member, with the words of `each` filled in. */
const longest = { ruleId: 60, when: 1_000, tag: 60, clause: 200, explanation: 500 } as const

/** A rule with `each` stands for many. */
function faultOfCount({ rules }: PackContent): PackFault | undefined {
  const count = rules.reduce((sum, rule) => sum + (rule.each?.length ?? 1), 0)
  if (count <= maxRules) return undefined
  const message = `With each rule written out there are ${count}, but the limit is ${maxRules}.`
  return { path: ['rules'], part: 'the rules', code: 'out-of-bounds', message }
}

/** A rule with `each` may become long when its words are filled in. */
function faultsOfSize(document: PackContent): PackFault[] {
  return rulesOf(document).flatMap(({ rule, index }) => {
    const part = `rule ${rule.ruleId.slice(0, longest.ruleId)}`
    const members = Object.entries(longest) as [keyof typeof longest, number][]
    const faults: PackFault[] = members
      .filter(([member, length]) => rule[member].length > length)
      .map(([member, length]) => ({
        path: ['rules', index, member],
        part,
        code: 'out-of-bounds',
        message: `With its words filled in it has ${rule[member].length} characters, but the limit is ${length}.`,
      }))
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(rule.ruleId))
      faults.push({
        path: ['rules', index, 'ruleId'],
        part,
        code: 'wrong-format',
        message: 'With its words filled in it must consist of a–z, 0–9 and single hyphens.',
      })
    if (rule.ruleId === notJudgedRuleId)
      faults.push({
        path: ['rules', index, 'ruleId'],
        part,
        code: 'not-unique',
        message: 'Every pack has this rule: it marks what the pack could not judge.',
      })
    return faults
  })
}
