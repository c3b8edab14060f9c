interface Output {
  write(text: string): void
}

/** The characters that wait at most. Standard output drops a text of more than 1 MiB as a whole. */
const mostWaiting = 65_536

/**
 * Write the lines of one turn of the event loop together, because a write costs more than a line. What the process
 * still has when it ends is written then.
 */
export function gatherLines(output: Output): Output {
  let lines = ''
  const flush = () => {
    const text = lines
    lines = ''
    if (text !== '') output.write(text)
  }
  process.on('exit', flush)
  return {
    write(line) {
      if (lines === '') setImmediate(flush)
      lines += line
      if (lines.length >= mostWaiting) flush()
    },
  }
}
