import { existsSync, statfsSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isFullRun } from './test/support/size.ts'
import { ceilingMs } from './test/support/until.ts'

// The files of a run must outlive processes, not the machine: in memory, no commit waits for a disk.
const memory = '/dev/shm'
const roomBytes = 8 * 2 ** 30
if (!process.env.TMPDIR && existsSync(memory) && freeBytes(memory) > roomBytes) process.env.TMPDIR = memory

/** These specs measure the memory of the whole process, or load another version of a module. */
const alone = [
  'test/http/kit/lists/largeLists.int.spec.ts',
  'test/http/kit/routing/bulk.int.spec.ts',
  'test/versions.int.spec.ts',
]

// It starts the whole service again and again, and the demo twice.
const slowest = ['test/e2e/bareMachine.e2e.spec.ts']

/** Workers are kept from one file to the next while the files are of one project. */
class ByProject extends BaseSequencer {
  private readonly order = ['e2e', 'smoke', 'alone', 'int', 'unit']

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) => this.order.indexOf(project.name)
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

const onStores = {
  globalSetup: ['test/support/portalPages.ts', 'test/support/globalSetup.ts'],
  setupFiles: ['test/support/documentedAnswers.ts', 'test/support/endOfFile.ts'],
}

export default defineConfig({
  test: {
    // Generous ceilings: specs wait for conditions, never for a time.
    testTimeout: 4 * ceilingMs,
    hookTimeout: 4 * ceilingMs,
    expect: { poll: { timeout: ceilingMs } },
    // Twice the cores of a small machine: many specs wait for processes that start, or for leases that end. On a
    // store that is given, specs of the protocol count what they alone write: one file at a time.
    maxWorkers: process.env.EVENTSTORE_URL ? 1 : 4,
    // What Node has compiled is kept from one start to the next: the specs start many processes.
    env: { NODE_COMPILE_CACHE: new URL('node_modules/.cache/node', import.meta.url).pathname },
    // Node runs the sources as they are, here as in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: ByProject },
    // test/README.md says what each kind of spec proves.
    projects: [
      // Pure specs leave nothing behind, so they share what they import.
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.unit.spec.ts'],
          setupFiles: ['test/support/properties.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...onStores,
          name: 'int',
          include: ['test/**/*.int.spec.ts'],
          exclude: [...configDefaults.exclude, ...alone],
          isolate: false,
        },
      },
      { extends: true, test: { ...onStores, name: 'alone', include: alone } },
      { extends: true, test: { ...onStores, name: 'smoke', include: ['test/**/*.smoke.spec.ts'] } },
      {
        extends: true,
        test: {
          ...onStores,
          name: 'e2e',
          include: ['test/**/*.e2e.spec.ts'],
          exclude: [...configDefaults.exclude, ...(isFullRun ? [] : slowest)],
        },
      },
    ],
  },
})

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
