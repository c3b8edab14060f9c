/** Names of sections, as certificates and orders spell them. */

/** `IPE 300` is `ipe300`, `120 × 8` is `120x8`, and `HE 200 A` is `HEA 200`. */
export function normalisedProfile(profile: string): string {
  return profile
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[×*]/g, 'X')
    .replaceAll(/(\d),(\d)/g, '$1.$2')
    .replaceAll(/\s/g, '')
    .replace(/^HE(\d+)(AA|A|B|M)$/, 'HE$2$1')
}
