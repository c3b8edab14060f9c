/**
 * Return options that bound an LRUCache by its number of entries. Its option `max` takes the memory of all entries, and
 * the time to prepare it, before the first one is there.
 */
export function atMost(entries: number) {
  return { maxSize: entries, sizeCalculation: () => 1 }
}
