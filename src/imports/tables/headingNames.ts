/** Headings as people write them, with a unit or without. */

export interface Heading {
  /** The heading without its unit, as written. */
  readonly name: string
  /** `name` in lower-case letters and digits: `Zeugnis-Nr.` and `ZEUGNIS NR` are `zeugnisnr`. */
  readonly key: string
  /** The unit after the name; undefined for none. */
  readonly unit: string | undefined
}

const unitBehind =
  /\s*(?:[[(]\s*(?<inBrackets>[^\])]*)[\])]|[\s,/]+(?:in\s+)?(?<bare>%|mm|cm|MPa|GPa|(?:N|kN|daN|kgf?|kp)\/[cm]m(?:²|\^?2)|ksi|psi|kg\/m|J|Joules?|ft[\s.·*-]?lbf?s?|k[pg]f?[\s.·*-]?m|°[CF]|ppm|%?\s?[x×*]\s?10(?:0{1,3}|\s?\^?[-−]?[234²³⁴])|1\/10{2,3}\s?%?|m|in|inch(?:es)?|["″]))\s*$/i

export function readHeading(text: string): Heading {
  const flat = text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
  const unitMatch = unitBehind.exec(flat)
  const name = (unitMatch ? flat.slice(0, unitMatch.index) : flat).trim()
  const unit = (unitMatch?.groups?.inBrackets ?? unitMatch?.groups?.bare)?.trim()
  return { name, key: keyOf(name), unit }
}

function keyOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]/g, '')
}
