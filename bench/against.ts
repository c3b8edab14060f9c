import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { circumstances, commitOf, type Figure, median, short } from './report.ts'

/**
 * Compare this checkout with another one in alternating pairs of runs: here, there, there, here, and so on. The speed
 * of a shared machine drifts, so only the two runs of a pair are compared.
 */

export interface Comparing {
  /** The script of the benchmark, and the file of its results, in the folder `bench` of both checkouts. */
  readonly script: string
  readonly results: string
  readonly passedOn: readonly string[]
  readonly sections: readonly string[]
  readonly other: string
  readonly pairs: number
}

export interface Comparison {
  readonly here: string
  readonly there: string
  readonly pairs: number
  readonly figures: readonly ComparedFigure[]
}

/** A figure that both checkouts have: one value for each pair. */
export interface ComparedFigure {
  readonly section: string
  readonly what: string
  readonly unit: string
  readonly here: readonly number[]
  readonly there: readonly number[]
  /** Values here divided by those there, pair by pair. */
  readonly ratio: { readonly median: number; readonly least: number; readonly most: number }
}

const root = join(import.meta.dirname, '..')

export async function compareCheckouts(comparing: Comparing): Promise<Comparison> {
  const other = resolve(comparing.other)
  const here: Figure[][] = []
  const there: Figure[][] = []
  for (const section of comparing.sections)
    for (let pair = 0; pair < comparing.pairs; pair++) {
      const sides = [
        { checkout: root, runs: here },
        { checkout: other, runs: there },
      ]
      for (const { checkout, runs } of pair % 2 === 0 ? sides : sides.reverse()) {
        console.error(`pair ${pair + 1} of ${comparing.pairs}: ${section} in ${checkout} …`)
        runs[pair] = [...(runs[pair] ?? []), ...(await runSection(comparing, checkout, section))]
      }
    }
  return {
    here: commitOf(root),
    there: commitOf(other),
    pairs: comparing.pairs,
    figures: compareFigures(here, there),
  }
}

/** Pair the figures of runs by their names; a figure that one side lacks is left out. */
export function compareFigures(
  here: readonly (readonly Figure[])[],
  there: readonly (readonly Figure[])[],
): ComparedFigure[] {
  return here[0]!.flatMap(({ section, what, unit }) => {
    const valuesOf = (runs: readonly (readonly Figure[])[]) =>
      runs.map((figures) => figures.find((one) => one.section === section && one.what === what)?.value)
    const [ours, theirs] = [valuesOf(here), valuesOf(there)]
    if (!areComplete(ours) || !areComplete(theirs)) return []
    const ratios = ours.map((value, pair) => value / theirs[pair]!)
    const ratio = { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
    return [{ section, what, unit, here: ours, there: theirs, ratio }]
  })
}

/** Print the comparison as a Markdown table, or as JSON. */
export function publishComparison(comparison: Comparison, asJson: boolean): void {
  const { date, node, cpus, memoryGiB } = circumstances()
  if (asJson) {
    console.log(JSON.stringify({ date, node, cpus, memoryGiB, ...comparison }, null, 2))
    return
  }
  const { here, there, pairs, figures } = comparison
  console.log(
    [
      `${date}, ${here} (here) and ${there} (there), ${pairs} pairs, Node ${node}, ${cpus}, ${memoryGiB} GiB`,
      '',
      '| section | what | here | there | here ÷ there (least to most) |',
      '|---|---|---|---|---|',
      ...figures.map(
        ({ section, what, unit, ...sides }) =>
          `| ${section} | ${what} | ${short(median(sides.here))} ${unit} | ${short(median(sides.there))} ${unit} ` +
          `| ${sides.ratio.median.toPrecision(3)} (${sides.ratio.least.toPrecision(3)} to ${sides.ratio.most.toPrecision(3)}) |`,
      ),
    ].join('\n'),
  )
}

/** Run one section in a checkout, by the benchmark of that checkout, and read the figures that it wrote. */
async function runSection(
  { script, results, passedOn }: Comparing,
  checkout: string,
  section: string,
): Promise<Figure[]> {
  const bench = join(checkout, 'bench')
  const run = spawn(process.execPath, [join(bench, script), ...passedOn, section], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(run, 'exit')
  if (code !== 0) throw new Error(`${script} ${section} failed in ${checkout}`)
  return JSON.parse(readFileSync(join(bench, results), 'utf8')).figures
}

function areComplete(values: readonly (number | undefined)[]): values is number[] {
  return values.every((value) => value !== undefined)
}
