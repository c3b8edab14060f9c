import type { FieldInput } from '../../kit/declaredFields.ts'
import { numberIn } from '../../kit/numberIn.ts'

/** A rule on a value of the certificate, as a form asks for it. */
export interface FormRule {
  readonly path: string
  readonly comparison: Comparison
  readonly value: string
  readonly name: string
  readonly severity: string
  /** The rule looks at lines of this kind alone; empty for every certificate. */
  readonly onlyFor: LineCondition | ''
  readonly ofLine: string
}

/** The conditions on a line that the form offers, as expressions of the text behind them. */
const lineConditions = {
  profileStarts: (text: string) => `line.profile.startsWith(${text})`,
  gradeContains: (text: string) => `line.grade.contains(${text})`,
  executionClassIs: (text: string) => `order.executionClass == ${text}`,
}
type LineCondition = keyof typeof lineConditions
export const lineConditionNames = Object.keys(lineConditions) as LineCondition[]

export const comparisons = { above: '>', below: '<', is: '==', isNot: '!=' } as const
export type Comparison = keyof typeof comparisons

export function isNumeric({ kind }: FieldInput): boolean {
  return kind.is === 'number' || kind.is === 'length' || kind.is === 'whole'
}

/** Return the comparisons that make sense for a value. */
export function comparisonsOf(input: FieldInput | undefined): readonly Comparison[] {
  return input && isNumeric(input) ? ['above', 'below'] : ['is', 'isNot']
}

interface Pack {
  readonly tags?: readonly { readonly key: string }[]
  readonly rules?: readonly object[]
  readonly pairRules?: readonly { readonly ruleId: string }[]
}

const colours: Readonly<Record<string, string>> = { Block: '#aa3300', Flag: '#8a6d00', Audit: '#4a5568' }

/** Return the pack with one more tag and the rule that assigns it, or with one more rule on certificate and line. */
export function withRule(pack: unknown, input: FieldInput, rule: FormRule): object {
  const { tags = [], rules = [], ...rest } = (pack ?? {}) as Pack
  const { pairRules = [] } = rest
  const { path, comparison, value, name, severity, onlyFor, ofLine } = rule
  const key = freeKey(name, [...tags.map((tag) => tag.key), ...pairRules.map(({ ruleId }) => ruleId)])
  const member = `certificate.${path}`
  const when = `${member} ${comparisons[comparison]} ${literalOf(input, value)}`
  const texts = { clause: name.trim(), explanation: `${path}: {${member}}.` }
  if (onlyFor !== '') {
    const ofPair = `${lineConditions[onlyFor](JSON.stringify(ofLine.trim()))} && ${when}`
    return {
      ...rest,
      tags,
      rules,
      pairRules: [...pairRules, { ruleId: key, severity, when: ofPair, ...texts }],
    }
  }
  const tag = {
    key,
    family: 'millCert',
    name: name.trim(),
    color: colours[severity],
    severity,
    description: name.trim(),
  }
  const newRule = {
    ruleId: key,
    family: 'millCert',
    when,
    tag: key,
    ...texts,
  }
  return { ...rest, tags: [...tags, tag], rules: [...rules, newRule] }
}

/** Every number of a rule is a double. */
function literalOf(input: FieldInput, typed: string): string {
  if (!isNumeric(input)) return JSON.stringify(typed.trim())
  const text = String(numberIn(typed))
  return /^-?\d+$/.test(text) ? `${text}.0` : text
}

function freeKey(name: string, taken: readonly string[]): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const key = words?.join('-').slice(0, 40).replace(/-$/, '') ?? 'rule'
  const others = [key, ...Array.from({ length: taken.length }, (_, index) => `${key}-${index + 2}`)]
  return others.find((one) => !taken.includes(one))!
}
