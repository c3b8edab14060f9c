import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The sources of the pages. */
export const sources = join(root, 'src/portal')
/** The declarations of the API for the pages. */
export const generatedFile = join(sources, 'api/generated.ts')
/** The types of the API in the client for TypeScript. */
export const clientTypesFile = join(root, 'packages/client/src/generated.ts')
/** The built pages, as the service reads them. */
export const pagesFolder = join(root, 'dist/portal')
/** The file of the built service worker. */
export const workerFile = 'worker.js'
export { root }
