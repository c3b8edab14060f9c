import { registerHooks } from 'node:module'

/**
 * Loaded before a process of the service (`--import`), this turns the process into the next release, whose `tags`
 * read model shows colours in capitals.
 */

const changed: readonly [string, string][] = [
  ['version: 1,', 'version: 2,'],
  ['...contentOf(data)', '...contentOf(data), color: data.color.toUpperCase()'],
]

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith('/src/projections/tags/tags.ts')) return loaded
    let source = String(loaded.source)
    for (const [from, to] of changed) {
      if (!source.includes(from)) throw new Error(`the tags projection no longer says ${from}`)
      source = source.replaceAll(from, to)
    }
    return { ...loaded, source }
  },
})
