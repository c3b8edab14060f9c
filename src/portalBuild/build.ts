import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { generatedFile, pagesFolder, root, sources, workerFile } from './paths.ts'

/**
 * `node src/portalBuild/build.ts` builds the pages of the portal into `dist/portal`, unless the pages there were
 * built from the same sources.
 */

/** The service replaces it by the nonce of each answer. */
const noncePlaceholder = '{{nonce}}'

async function buildPages(): Promise<void> {
  const key = keyOfSources()
  if (builtKey() === key) return
  // Most starts find the pages built, and need none of these large modules.
  const [{ build }, { generate }, { writeTypeface }] = await Promise.all([
    import('vite'),
    import('./generate.ts'),
    import('./typeface.ts'),
  ])
  await Promise.all([generate(), writeTypeface()])
  // The caller's own value, such as "test", would bring React's slower and larger build for development.
  process.env.NODE_ENV = 'production'
  const fresh = `${pagesFolder}.${process.pid}`
  try {
    await build({
      root: sources,
      base: '/portal/',
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      // Otherwise Vite looks for a configuration of PostCSS in all folders above, and for files with variables.
      css: { postcss: {} },
      envDir: false,
      html: { cspNonce: noncePlaceholder },
      build: {
        outDir: fresh,
        emptyOutDir: true,
        assetsInlineLimit: 0,
        reportCompressedSize: false,
        rolldownOptions: {
          input: { index: join(sources, 'index.html'), worker: join(sources, 'offline/worker.ts') },
          output: {
            entryFileNames: ({ name }) => (name === 'worker' ? workerFile : 'assets/[name]-[hash].js'),
          },
        },
        // Vite's polyfill is an inline style sheet and script for browsers that the pages do not support.
        modulePreload: { polyfill: false },
        target: 'es2023',
      },
    })
    tellWorker(fresh)
    await compressAssets(join(fresh, 'assets'))
    writeFileSync(join(fresh, 'key'), key)
    if (builtKey() !== key) replaceWith(fresh)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Return a hash of everything that the pages are made of: the declared routes may import any part of the service. */
function keyOfSources(): string {
  const hash = createHash('sha256')
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => file !== generatedFile)
    .sort()
  for (const file of [...files, join(root, 'tsconfig.json'), join(root, 'package-lock.json')])
    hash.update(`${relative(root, file)}\n`).update(readFileSync(file))
  return hash.digest('hex')
}

function builtKey(): string | undefined {
  const file = join(pagesFolder, 'key')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** pdf.js is larger than all other files, and no screen that is used without a network needs it. */
const notKept = /^(pdf\.worker|PdfPages)-/

/** Write the names of the built files into the service worker: another release has another worker. */
function tellWorker(folder: string): void {
  const files = readdirSync(join(folder, 'assets'))
    .filter((name) => !notKept.test(name))
    .sort()
    .map((name) => `/portal/assets/${name}`)
  const hash = createHash('sha256').update(readFileSync(join(folder, 'index.html')))
  const release = { id: hash.update(files.join()).digest('hex'), files }
  const program = join(folder, workerFile)
  writeFileSync(program, `const release=${JSON.stringify(release)};${readFileSync(program, 'utf8')}`)
}

/** Compress text once, at the best quality. The fonts are compressed already. */
async function compressAssets(folder: string): Promise<void> {
  const files = readdirSync(folder).filter((name) => /\.(js|css|svg)$/.test(name))
  await Promise.all(
    files.map(async (name) => {
      const bytes = readFileSync(join(folder, name))
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(bytes),
        promisify(gzip)(bytes, { level: 9 }),
      ])
      writeFileSync(join(folder, `${name}.br`), br)
      writeFileSync(join(folder, `${name}.gz`), gz)
    }),
  )
}

/** Put these pages in the place of the old ones. Another process that does so at the same time has built the same. */
function replaceWith(fresh: string): void {
  const old = `${fresh}.old`
  mkdirSync(join(pagesFolder, '..'), { recursive: true })
  try {
    if (existsSync(pagesFolder)) renameSync(pagesFolder, old)
    renameSync(fresh, pagesFolder)
  } catch (error) {
    if (!existsSync(join(pagesFolder, 'key'))) throw error
  } finally {
    rmSync(old, { recursive: true, force: true })
  }
}

await buildPages()
