/**
 * Finds the ranges of positions that contain one position, by an ordinary index. A range has a fork: the number in it
 * that the highest power of two divides. However many ranges there are, those that contain a position have one of
 * about fifty forks (Kriegel, Pötke, Seidl: Managing Intervals Efficiently in Object-Relational Databases, VLDB 2000).
 */

const highest = 2 ** 53

/** The fork of the range from a position on, without the position `to`, which must be greater. */
export function forkOf(from: number, to: number): number {
  const last = to - 1
  let power = 1
  while (Math.floor(from / power) !== Math.floor(last / power)) power *= 2
  // Numbers below `power` tell the two ends apart: half of it divides just one number between them.
  return power === 1 ? last : last - (last % (power / 2))
}

/** The forks that a range which contains the position can have: for each power of two, its odd multiple nearby. */
export function forksOf(position: number): number[] {
  const forks = [0]
  for (let power = 1; power < highest; power *= 2) {
    const multiple = Math.floor(position / power)
    forks.push((multiple % 2 === 1 ? multiple : multiple + 1) * power)
  }
  return forks
}
