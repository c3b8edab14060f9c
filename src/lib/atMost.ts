/**
 * Return options that bound an LRUCache by its number of entries. The option `max` would allocate the memory of all
 * entries at once, which takes time at each start.
 */
export function atMost(entries: number) {
  return { maxSize: entries, sizeCalculation: () => 1 }
}
