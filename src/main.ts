import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { keepHeapSmall } from './lib/heap.ts'

/**
 * `node src/main.ts` starts the service on the stores that the environment names. With `--embedded` it also starts
 * every store, and the identity provider, that the environment does not name.
 */

// Node keeps what it has compiled, for the next start and for the processes that this one starts. A folder that cannot
// be written only makes the start slower.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/node')
enableCompileCache(process.env.NODE_COMPILE_CACHE)
keepHeapSmall()
await import('./start.ts')
