import { byCodePoint, derivedId } from '../kernel/identifiers.ts'
import type { CertificateContent } from './certificateContent.ts'
import { decimalsOf, usualDecimals, withDecimals } from './elements.ts'

/** One melt has one ladle analysis, so the certificates of a heat state the same. */

type Analysed = Pick<CertificateContent, 'chemistry' | 'analysis'>
type Chemistry = NonNullable<CertificateContent['chemistry']>

const keyNamespace = '2f6c1f0c-6f3b-4c0e-8f53-0a3c2d9f7b61'

/**
 * Return a key that is the same for the same ladle analysis; null if the certificate states none. A certificate that does
 * not say which analysis it shows counts, too: most of them show that of the ladle.
 */
export function ladleAnalysisKey({ chemistry, analysis }: Analysed): string | null {
  if (chemistry === null || analysis === 'product') return null
  const values = Object.entries(chemistry).toSorted(([one], [other]) => byCodePoint(one, other))
  return values.length === 0 ? null : derivedId(keyNamespace, values)
}

/** Return the elements whose shares differ by more than the rounding of the coarser statement. */
export function differingElements(one: Chemistry, other: Chemistry): readonly string[] {
  return Object.keys(one).filter((element) => {
    const [a, b] = [one[element], other[element]]
    return a !== undefined && b !== undefined && differs(a, b, usualDecimals(element))
  })
}

function differs(a: number, b: number, usual: number): boolean {
  const decimals = Math.max(usual, Math.min(decimalsOf(a), decimalsOf(b)))
  const halfStep = 0.5 * 10 ** -decimals
  return Math.abs(a - b) > halfStep * (1 + 1e-6)
}

/** "C 0.17, Mn 1.40". */
export function sharesInWords(chemistry: Chemistry, elements: readonly string[]): string {
  return elements
    .map((element) => `${element} ${withDecimals(chemistry[element]!, usualDecimals(element))}`)
    .join(', ')
}
