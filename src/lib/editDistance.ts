/** Return the number of letters to change, add or drop (Levenshtein, 1965). */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [place, otherLetter] of [...other].entries())
      next.push(
        Math.min(row[place + 1]! + 1, next[place]! + 1, row[place]! + (letter === otherLetter ? 0 : 1)),
      )
    row = next
  }
  return row.at(-1)!
}
