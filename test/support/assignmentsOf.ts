/** Return the collection of the assignments of a family's tags: `order-tag-assignments` for `order-tags`. */
export function assignmentsOf(family: string): string {
  return family.replace(/s$/, '-assignments')
}
