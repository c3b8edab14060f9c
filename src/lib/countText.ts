/** Say how many things there are: "1 piece", "2 pieces". @param what the singular, whose plural ends in -s */
export function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
