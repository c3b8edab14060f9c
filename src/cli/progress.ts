/** Where progress is shown: `process.stdout`, or anything that can be written to. */
export type Output = { readonly isTTY?: boolean; write(text: string): unknown }

const barWidth = 24
const labelWidth = 14

/** What takes a line of a terminal away again. */
export const clearLine = '\r\x1b[2K'

/** A bar of 24 characters, filled to a share from 0 to 1. */
export const bar = (share: number): string => {
  const filled = Math.floor(share * barWidth)
  return '█'.repeat(filled) + '░'.repeat(barWidth - filled)
}

/**
 * Moves the bar by one; or to where the work says that it is, when it learns only on the way how much there is.
 */
export type Step = (done?: number, total?: number) => void

/**
 * Shows how far `work` is: on a terminal as a bar that its `step` moves and that ends as one plain line,
 * elsewhere as that line alone. `summary` makes the line; if `work` throws, the bar goes and the error passes.
 */
export async function withProgress<Result>(
  output: Output,
  { label, total: expected }: { readonly label: string; readonly total: number },
  work: (step: Step) => Promise<Result>,
  summary: (result: Result) => string,
): Promise<Result> {
  const clear = output.isTTY ? clearLine : ''
  const name = label.padEnd(labelWidth)
  let done = 0
  let total = expected

  const draw = () => {
    if (!output.isTTY) return
    output.write(`${clear}${name}${bar(total === 0 ? 1 : done / total)} ${done}/${total}`)
  }

  draw()
  try {
    const result = await work((reached = done + 1, outOf = total) => {
      done = reached
      total = outOf
      draw()
    })
    output.write(`${clear}${name}${summary(result)}\n`)
    return result
  } catch (error) {
    if (clear) output.write(clear)
    throw error
  }
}
