import { toldIn } from '../../../domain/verdict/sentence.ts'
import type { BrokenLimit, Finding } from '../../api/generated.ts'

/** The means to write a finding in a language. */
interface Means {
  readonly language: 'en' | 'de'
  readonly number: (value: number) => string
  readonly fieldName: (path: string) => string
}

type Reasoned = Pick<Finding, 'message' | 'sentence' | 'rule'>

/** Say a finding in one line, without its advice: "Strength too low: ReH 349 < 355 MPa · EN 10025-2, 7.3". */
export function reasonText({ message, sentence, rule }: Reasoned, means: Means): string {
  if (!rule) return withoutAdvice(toldIn(means.language, { message, sentence }))
  const [limit] = rule.limits
  const tag = String(sentence.values?.tag ?? '')
  return [limit ? `${tag}: ${limitText(limit, means)}` : tag, rule.clause].join(' · ')
}

/** Return the first sentence, which says what is wrong, and those that follow, which say what to do. */
export function splitAdvice(text: string): readonly [reason: string, advice: string] {
  const [reason = '', ...advice] = text.split(/(?<=\.) (?=\p{Lu})/u)
  return [reason, advice.join(' ')]
}

function withoutAdvice(text: string): string {
  return splitAdvice(text)[0].replace(/\.$/, '')
}

const units = { Mpa: ' MPa', Percent: ' %', Joule: ' J', TemperatureC: ' °C', Mm: ' mm' } as const

function limitText({ name, value, limit, isTooSmall }: BrokenLimit, { number, fieldName }: Means): string {
  const [, unit = ''] = Object.entries(units).find(([ending]) => name.endsWith(ending)) ?? []
  const share = name.includes('.chemistry.') ? ' %' : ''
  return `${fieldName(name)} ${number(value)} ${isTooSmall ? '<' : '>'} ${number(limit)}${unit || share}`
}
