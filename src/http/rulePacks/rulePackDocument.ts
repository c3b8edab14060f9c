import { z } from 'zod'
import { propertiesOfOwnPacks } from '../../rulePacks/ownRules/check.ts'
import shippedSchema from '../../rulePacks/rulePack.schema.json' with { type: 'json' }
import type { PackContent } from '../../rulePacks/rulePack.ts'
import { withFault } from '../kit/schemas/fields.ts'

/** The document of a rule pack, shipped or of a company: whatever both have, and what one of them may add. */

const { properties, $defs: parts } = shippedSchema

/** Answers may have more members, and the own parts of the schema are written out. */
const described = JSON.parse(JSON.stringify({ ...properties, ...propertiesOfOwnPacks }), (_, part) => {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  const { $ref, additionalProperties, ...rest } = part
  const named = $ref && parts[$ref.slice('#/$defs/'.length) as keyof typeof parts]
  return { ...named, ...rest, ...(additionalProperties !== false && { additionalProperties }) }
})

export const rulePackDocument = z
  .custom<PackContent>(isObject, withFault('wrong-type', 'must be an object'))
  .meta({
    id: 'RulePackDocument',
    as: { type: 'object', required: ['name', 'tags', 'rules'], properties: described },
    description:
      'A company leaves out `$schema`, `version`, `edition`, `restated`, `covers` and `doesNotCover`, and may add `pairRules`. Unknown members are refused. docs/own-rule-packs.md has an example and the bounds.',
  })

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
