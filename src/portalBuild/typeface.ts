import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import subsetFont from 'subset-font'
import { sources } from './paths.ts'

/** A face in the style sheet, with its file and the letters that it is for. */
const face = /url\("(?<file>[^"]+)"\);\s*unicode-range: (?<ranges>[^;]+);/g

/** The text of the licence and its address, which each copy has to have. */
const licence = [13, 14]

/** Write the files of the typeface with the letters, weights and features that the pages use. */
export async function writeTypeface(): Promise<void> {
  const styles = join(sources, 'styles/typeface.css')
  const { resolve } = createRequire(import.meta.url)
  for (const { groups } of readFileSync(styles, 'utf8').matchAll(face)) {
    const file = join(dirname(styles), groups!.file!)
    const whole = readFileSync(resolve(`@fontsource-variable/inter/files/${basename(file)}`))
    const part = await subsetFont(whole, lettersOf(groups!.ranges!), {
      targetFormat: 'woff2',
      variationAxes: { wght: { min: 400, max: 700 } },
      keepFeatures: ['kern', 'tnum'],
      preserveNameIds: licence,
    })
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, part)
  }
}

/** @param ranges such as "U+20-7E, U+2212" */
function lettersOf(ranges: string): string {
  return ranges
    .split(', ')
    .map((range) => {
      const [first, last = first] = range
        .slice('U+'.length)
        .split('-')
        .map((digits) => Number.parseInt(digits, 16))
      return Array.from({ length: last! - first! + 1 }, (_, n) => String.fromCodePoint(first! + n)).join('')
    })
    .join('')
}
