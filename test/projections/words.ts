/** The words in a column `words`, without the part of the company's id with which each begins. */
export function wordsIn(words: unknown): string[] {
  return (words as string).split(' ').map((word) => word.slice(8))
}
