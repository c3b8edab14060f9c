import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compareCheckouts, publishComparison } from './against.ts'
import { type Figure, publish } from './report.ts'

/** A benchmark as a command: its sections, its options, and the two ways to run it. */

export interface Benchmark {
  /** Its script in this folder. */
  readonly script: string
  /** The file beside the script that every run writes. */
  readonly results: string
  readonly sections: Readonly<Record<string, (options: Options) => Promise<Figure[]>>>
  /** Its own options, with their defaults. */
  readonly options?: Options
}

export type Options = Readonly<Record<string, string>>

const pairs = '4'

/**
 * Run the sections that the command line names, or all, and print a table, or JSON with `--json`. With
 * `--against PATH`, run each section also in the checkout at PATH, in alternating pairs, and print the ratios.
 */
export async function runBenchmark({ script, results, sections, options = {} }: Benchmark): Promise<void> {
  const own = Object.entries(options).map(
    ([name, text]) => [name, { type: 'string', default: text }] as const,
  )
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...Object.fromEntries(own),
      against: { type: 'string' },
      pairs: { type: 'string', default: pairs },
      json: { type: 'boolean', default: false },
    },
  })
  const texts: Readonly<Record<string, unknown>> = values
  refuseUnknown(positionals, Object.keys(sections))
  const wanted = Object.keys(sections).filter(
    (name) => positionals.length === 0 || positionals.includes(name),
  )
  const given: Options = Object.fromEntries(own.map(([name]) => [name, String(texts[name])]))
  if (values.against !== undefined) {
    refuseOtherFolder(values.against, script)
    const passedOn = Object.entries(given).flatMap(([name, text]) => [`--${name}`, text])
    publishComparison(
      await compareCheckouts({
        script,
        results,
        passedOn,
        sections: wanted,
        other: values.against,
        pairs: wholeNumber(values.pairs),
      }),
      values.json,
    )
    return
  }
  const figures: Figure[] = []
  for (const name of wanted) {
    console.error(`measuring ${name} …`)
    figures.push(...(await sections[name]!(given)))
  }
  publish(join(import.meta.dirname, results), figures, values.json)
}

function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  console.error(`no section ${unknown.join(', ')}: there are ${known.join(', ')}`)
  process.exit(2)
}

function refuseOtherFolder(path: string, script: string): void {
  if (existsSync(join(path, 'bench', script))) return
  console.error(`${path} is no checkout of Heatmark: it has no bench/${script}`)
  process.exit(2)
}

function wholeNumber(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0) return count
  console.error(`--pairs must be a whole number from 1 on, not ${text}`)
  process.exit(2)
}
