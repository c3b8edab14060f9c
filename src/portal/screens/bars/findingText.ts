import type { Finding } from '../../api/generated.ts'
import { en } from '../../texts/en.ts'

type Name = keyof typeof en

/** Say a finding in a few words of a language, from its code and its values. */
export function findingText(
  { code, tagId, actual, expected, message }: Finding,
  t: (name: Name, values?: Readonly<Record<string, string>>) => string,
): string {
  const name = Object.hasOwn(en, code) ? t(code as Name) : message
  // The value of a tag is its severity, which the finding shows already. Its name stands in the message alone.
  const value = tagId === undefined ? actual : /"(.+?)"/.exec(message)?.[1]
  const known = [value, expected && t('expected', { value: expected })].filter(Boolean).join(', ')
  return known === '' ? name : `${name}: ${known}`
}
