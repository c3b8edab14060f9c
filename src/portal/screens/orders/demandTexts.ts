import type { LineItem, SteelOptions } from '../../api/generated.ts'

/** Options and substitutes as a person reads and writes them. */

/** The order itself, or one of its lines. */
export type Demanding = Pick<LineItem, 'options' | 'allowedSubstitutes'> & { readonly lineNumber?: number }

/** Whether the order or the line states an option or a substitute. */
export function isDemanding({ options, allowedSubstitutes }: Demanding): boolean {
  return (
    allowedSubstitutes !== null ||
    Object.values(options ?? {}).some((value) => value !== null && value !== false)
  )
}

export const optionTexts = {
  zQuality: 'zQuality',
  ultrasonicClass: 'ultrasonicClass',
  surfaceClass: 'surfaceClass',
  siliconClass: 'siliconClass',
  mostCev: 'mostCev',
  impactTemperatureC: 'impactTemperature',
  impactJoule: 'impactJoule',
} as const satisfies Record<Exclude<keyof SteelOptions, 'normalisedRolling'>, string>

export type OptionName = keyof typeof optionTexts

/** The values that a person writes as numbers. */
const numeric: readonly OptionName[] = ['mostCev', 'impactTemperatureC', 'impactJoule']

/**
 * Return the written options as the service reads them; null if none is written. An option that is not written is null,
 * because a patch keeps one that is left out. The service refuses what is no value.
 */
export function readOptions(
  written: Readonly<Record<OptionName, string>>,
  normalisedRolling: boolean,
): Record<string, unknown> | null {
  const entries = (Object.entries(written) as [OptionName, string][]).map(
    ([name, text]) => [name, text.trim() === '' ? null : readOption(name, text.trim())] as const,
  )
  if (entries.every(([, value]) => value === null) && !normalisedRolling) return null
  return { ...Object.fromEntries(entries), normalisedRolling }
}

function readOption(name: OptionName, text: string): string | number {
  if (!numeric.includes(name)) return text.toUpperCase()
  const number = Number(text.replace(',', '.').replace('−', '-'))
  return Number.isNaN(number) ? text : number
}

interface Substitute {
  readonly grade: string
  readonly reference: string
}

/** Return one line for each substitute: its grade and its reference. */
export function textOfSubstitutes(substitutes: readonly Substitute[]): string {
  return substitutes.map(({ grade, reference }) => `${grade}; ${reference}`).join('\n')
}

/** Return the written substitutes; null for none. The service refuses one without a reference. */
export function readSubstitutes(text: string): readonly Substitute[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return null
  return lines.map((line) => {
    const [grade = '', ...reference] = line.split(';')
    return { grade: grade.trim(), reference: reference.join(';').trim() }
  })
}
