import type { SlotsOptions } from './slots.ts'

const tooManyLists = {
  code: 'too-many-large-reads',
  detail: 'Too many large lists are being read: read this one in pages (limit), or try again in a moment.',
} as const

/** The most commands of one stream at a time: one is carried out, and the others wait. */
const commandsOfStream = 500

/**
 * The slots of one process for each kind of work that takes much memory, many connections or a long time. The holders
 * are companies; for commands they are streams. `docs/decisions/admission.md` says what each of them prevents.
 */
export const slotsFor = {
  /** One command of a stream at a time, so that a process never races itself for a stream. */
  commands: {
    atOnce: Number.POSITIVE_INFINITY,
    ofEach: 1,
    queueOfEach: commandsOfStream - 1,
    code: 'too-busy',
    detail: `${commandsOfStream} commands wait for the same records already; nothing was recorded. Try again in a moment.`,
  },
  /** @param connections those to PostgreSQL that reads may use. One company has at most three quarters of them. */
  reads: (connections: number): SlotsOptions => ({
    atOnce: connections,
    ofEach: Math.max(1, Math.floor((connections * 3) / 4)),
    queueOfEach: 2_000,
    queueOfAll: 20_000,
    waitMs: 10_000,
    code: 'too-busy',
    detail:
      'Other requests of the company have read for too long, so nothing was done. Send the request again later.',
  }),
  /** Each list holds a connection for as long as its client reads it. */
  largeLists: (connections: number): SlotsOptions => ({
    atOnce: connections,
    queueOfEach: 10,
    queueOfAll: 100,
    waitMs: 20_000,
    ...tooManyLists,
  }),
  /**
   * Each export reads the whole history of a company. A client may take hours to read its export, and does not keep other
   * companies from theirs.
   */
  exports: {
    atOnce: 2,
    ofEach: 1,
    busyMs: 60_000,
    queueOfEach: 10,
    queueOfAll: 20,
    waitMs: 20_000,
    ...tooManyLists,
  },
  /** Readers of the feed who wait: streams, and answers that wait for a change. Each looks whenever its company records something. */
  changeStreams: {
    atOnce: 500,
    ofEach: 20,
    queueOfEach: 0,
    code: 'too-busy',
    detail:
      'Too many of your requests wait for changes, so this one was not begun. Close some, or follow the feed by Link.',
  },
  /** The large bodies that arrive and are checked, by caller. A body that waits stays with its client. */
  largeBodies: {
    atOnce: Number.POSITIVE_INFINITY,
    ofEach: 1,
    queueOfEach: 200,
    waitMs: 20_000,
    code: 'too-busy',
    detail: 'Your other large requests are still arriving, so nothing was done. Send this one again later.',
  },
  /** Signing may read the whole event store. */
  signing: {
    atOnce: 4,
    queueOfEach: 4,
    queueOfAll: 40,
    waitMs: 20_000,
    ...tooManyLists,
  },
  /** A process of its own reads each file, and takes up to 704 MB. A file that waits takes little. */
  imports: {
    atOnce: 2,
    queueOfEach: 5,
    queueOfAll: 100,
    waitMs: 30_000,
    code: 'too-many-large-reads',
    detail:
      'Too many files are being imported at this moment, so nothing was read. Send the file again later.',
  },
  /**
   * A file that arrives may take 25 MiB on the disk, and up to 10 MiB of memory on its way to a bucket, before it is known
   * whether the company has room for it. A client may take minutes to send it.
   */
  uploads: {
    atOnce: 48,
    ofEach: 8,
    forNewcomers: 12,
    queueOfEach: 500,
    queueOfAll: 2_000,
    waitMs: 20_000,
    code: 'too-busy',
    detail: 'Other files are still arriving, so this one was not received. Send it again later.',
  },
} as const
