/** The output for progress, for example `process.stdout`. */
export type Output = { readonly isTTY?: boolean; write(text: string): unknown }

const barWidth = 24
const labelWidth = 14

/** The escape sequence that clears the current line of a terminal. */
export const clearLine = '\r\x1b[2K'

/** Move the bar by one; or to the given place, for work that does not know its total from the start. */
export type Step = (done?: number, total?: number) => void

/**
 * Show the progress of `work` as a bar on a terminal, and print the line of `summary` when it is done. An output that is
 * not a terminal gets only the line. If `work` throws, the bar is cleared and the error is passed on.
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

/** Draw a bar that is filled to a share from 0 to 1. */
export function bar(share: number): string {
  const filled = Math.floor(share * barWidth)
  return '█'.repeat(filled) + '░'.repeat(barWidth - filled)
}
