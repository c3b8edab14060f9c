import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type * as verifier from '../../../examples/verify/verifyExport.ts'
import type { Recorded } from '../../../src/domain/kernel/event.ts'
import { originOf } from '../../../src/proofs/signing/checkpoint.ts'
import {
  type LocalSigningKey,
  type PublishedKey,
  publishedKey,
} from '../../../src/proofs/signing/signingKey.ts'
import { companyId, id } from '../../support/given.ts'
import {
  checkpointNote,
  type Files,
  filesOf,
  historyOf,
  inFile,
  inMemory,
  keySetOf,
  noteOf,
  origin,
  persons,
  readZip,
  storeId,
} from './histories.ts'
import { forTimestamps, list, oid, signerOf, tokenOf } from './tokens.ts'

/**
 * Exports that are wrong in one way each, with the message that the verifier must give; and honest ones that it must
 * accept. The specs show that the verifier answers all of them so, and that each of its checks is needed for that.
 */

export type Verifier = Pick<typeof verifier, 'verifyExport' | 'verifyAt'>

export interface Attack {
  readonly name: string
  /** The files of an export; or a ZIP file; or the target of the link `keys.json` in a folder. */
  readonly content: Files | Buffer | string
  readonly trusted?: verifier.Trusted
  /** The message of the verifier; `allIsWell` for an honest export. */
  readonly message: string
}

export const allIsWell = 'all is well'
const attackedLine = 123

/** Return the message of the verifier, or `allIsWell`. @throws errors that are not about the export */
export function outcomeOf(
  { verifyExport, verifyAt }: Verifier,
  { content, trusted }: Pick<Attack, 'content' | 'trusted'>,
): Promise<string> {
  if (typeof content === 'string')
    return messageOf(
      inFile(Readable.from([]), (file) => {
        const folder = `${file}.unpacked`
        mkdirSync(folder)
        symlinkSync(content, join(folder, 'keys.json'))
        return verifyAt(folder, {})
      }),
    )
  return messageOf(
    Buffer.isBuffer(content)
      ? inFile(Readable.from([content]), (file) => verifyAt(file, {}))
      : verifyExport(inMemory(content), trusted),
  )
}

/** Return the message of a verifier that refuses, or `allIsWell`. @throws errors that are not about what it verifies */
export async function messageOf(verifying: Promise<unknown>): Promise<string> {
  try {
    await verifying
    return allIsWell
  } catch (error) {
    // Each mutant has a class of its own.
    if ((error as Error).name === 'WrongExport') return (error as Error).message
    throw error
  }
}

/** @param otherKey another key than `key` */
export async function attacksWith(
  key: LocalSigningKey,
  otherKey: LocalSigningKey,
): Promise<readonly Attack[]> {
  const ground = await groundOf(key, otherKey)
  const rows = [
    ...wrongLines(ground),
    ...(await wrongSignedLines(ground)),
    ...wrongFiles(ground),
    ...wrongCheckpoints(ground),
    ...wrongKeys(ground),
    ...wrongPersons(ground),
    ...(await signedAgain(ground)),
    ...(await honestOnes(ground)),
    ...zipFiles(await readZip(ground.events, key)),
    ...(await timestamped(ground)),
    ...endless(ground),
    ...links,
  ]
  return rows.map(([name, content, message, trusted]) => ({
    name,
    content,
    message,
    ...(trusted && { trusted }),
  }))
}

type Row = readonly [name: string, content: Attack['content'], message: string, trusted?: verifier.Trusted]

const links: readonly Row[] = [
  ['a folder with a link to a device', '/dev/zero', 'keys.json is a link or a device, and no file'],
]

/** An honest export, and ways to change it. */
interface Ground {
  readonly key: LocalSigningKey
  readonly otherKey: LocalSigningKey
  readonly events: readonly Recorded[]
  readonly honest: Files
  readonly older: { readonly name: string; readonly note: string }
  replaced(path: string, content: string | Buffer): Files
  edited(path: string, edit: (text: string) => string): Files
  editedLines(edit: (lines: string[]) => string[]): Files
  without(path: string): Files
}

async function groundOf(key: LocalSigningKey, otherKey: LocalSigningKey): Promise<Ground> {
  const events = historyOf(300)
  const honest = await filesOf(events, key)
  const replaced = (path: string, content: string | Buffer): Files =>
    new Map(honest).set(path, Buffer.from(content))
  const edited = (path: string, edit: (text: string) => string): Files =>
    replaced(path, edit(honest.get(path)!.toString()))
  return {
    key,
    otherKey,
    events,
    honest,
    replaced,
    edited,
    older: { name: 'older.txt', note: noteOf(events.slice(0, 200), key) },
    editedLines: (edit) =>
      edited('events.ndjson', (text) =>
        edit(text.slice(0, -1).split('\n'))
          .map((line) => `${line}\n`)
          .join(''),
      ),
    without(path) {
      const files = new Map(honest)
      files.delete(path)
      return files
    },
  }
}

const notEvent = (line: number) =>
  `events.ndjson, line ${line}: this is not an event in the form that exports have`

function wrongLines({ editedLines, edited, replaced }: Ground): Row[] {
  const notRecorded = (line: number) =>
    `events.ndjson, line ${line}: this is not the event that was recorded here`
  return [
    [
      'a changed value',
      editedLines((lines) => lines.with(attackedLine - 1, lines[attackedLine - 1]!.replace('H 122', 'H 9'))),
      notRecorded(attackedLine),
    ],
    [
      'a missing event',
      editedLines((lines) => lines.toSpliced(attackedLine - 1, 1)),
      notRecorded(attackedLine),
    ],
    [
      'a doubled event',
      editedLines((lines) => lines.toSpliced(attackedLine, 0, lines[attackedLine - 1]!)),
      notRecorded(attackedLine + 1),
    ],
    [
      'a missing end',
      editedLines((lines) => lines.slice(0, -1)),
      'events.ndjson ends after line 299, but the checkpoint covers 300 events',
    ],
    [
      'no events',
      editedLines(() => []),
      'events.ndjson ends after line 0, but the checkpoint covers 300 events',
    ],
    [
      'an event after the end',
      editedLines((lines) => [...lines, lines[0]!]),
      'events.ndjson, line 301: the checkpoint covers only 300 events',
    ],
    [
      'a line that is cut off',
      edited('events.ndjson', (text) => text.slice(0, -1)),
      'events.ndjson, line 300 is cut off: it does not end with a line feed',
    ],
    ['a line that is not JSON', editedLines((lines) => lines.with(4, '{')), notEvent(5)],
    ['a line that is no object', editedLines((lines) => lines.with(4, '7')), notEvent(5)],
    ['a line that is null', editedLines((lines) => lines.with(4, 'null')), notEvent(5)],
    [
      'the same event in another form',
      editedLines((lines) => lines.with(4, lines[4]!.replace(':', ': '))),
      notEvent(5),
    ],
    [
      'a line that is not UTF-8',
      replaced('events.ndjson', Buffer.from([0x22, 0xff, 0x22, 0x0a])),
      'events.ndjson, line 1: this is not UTF-8',
    ],
    [
      'a line without an end',
      replaced('events.ndjson', Buffer.alloc(64 * 1_048_576 + 1, 'a')),
      'events.ndjson, line 1: this is longer than any event',
    ],
  ]
}

/** The service never signs these, so somebody else has the key. */
async function wrongSignedLines({ events, key }: Ground): Promise<Row[]> {
  const lastWith = (part: object): Promise<Files> =>
    filesOf(events.with(299, { ...events[299]!, ...part } as Recorded), key)
  return [
    ['a signed event without an id', await lastWith({ id: null }), notEvent(300)],
    ['a signed event with a number as type', await lastWith({ type: 7 }), notEvent(300)],
    ['a signed event with a fraction as revision', await lastWith({ revision: 0.5 }), notEvent(300)],
    ['a signed event with a negative revision', await lastWith({ revision: -1 }), notEvent(300)],
    [
      'a signed history with a hole',
      await filesOf(events.toSpliced(20, 1), key),
      `events.ndjson, line 40: the stream millCertificate-${companyId}_${id(500)} goes on with event 1 where event 0 must follow`,
    ],
    [
      'a signed event of another company',
      await lastWith({ streamName: `order-${id(9)}_${id(8)}` }),
      `events.ndjson, line 300: the stream order-${id(9)}_${id(8)} does not belong to company ${companyId}`,
    ],
    [
      'a signed event of no company',
      await lastWith({ streamName: 'heatmark' }),
      `events.ndjson, line 300: the stream heatmark does not belong to company ${companyId}`,
    ],
    // A terminal would clear its screen.
    [
      'a signed event with a command for terminals',
      await lastWith({ streamName: '\x1b[2J' }),
      `events.ndjson, line 300: the stream \ufffd[2J does not belong to company ${companyId}`,
    ],
  ]
}

function wrongFiles({ honest, replaced, without, editedLines }: Ground): Row[] {
  return [
    [
      'a changed tile',
      replaced('tile/0/000', Buffer.alloc(8_192)),
      'the tiles under tile/0 differ from the events, and the checkpoint was signed for the events',
    ],
    [
      'a changed tile above',
      replaced('tile/1/000.p/1', Buffer.alloc(32)),
      'tile/1/000.p/1: hash 1 is not that of the tile below',
    ],
    ['a short tile', replaced('tile/0/000', Buffer.alloc(8)), 'tile/0/000 has 8 bytes instead of 8192'],
    [
      'a long tile',
      replaced('tile/0/000', Buffer.concat([honest.get('tile/0/000')!, Buffer.alloc(1)])),
      'tile/0/000 has 8193 bytes instead of 8192',
    ],
    [
      'a file that belongs to none',
      replaced('tile/0/002.p/1', Buffer.alloc(32)),
      'tile/0/002.p/1 does not belong to an export',
    ],
    ...['events.ndjson', 'checkpoint', 'keys.json', 'persons.ndjson', 'tile/0/000', 'tile/1/000.p/1'].map(
      (path) => [`no ${path}`, without(path), `${path} is missing`] as const,
    ),
    [
      'a changed value and a changed tile',
      new Map(editedLines((lines) => lines.with(4, lines[4]!.replace('H 4', 'H 9')))).set(
        'tile/0/000',
        Buffer.alloc(8_192),
      ),
      'events.ndjson, line 1: this event and the tiles differ, and the checkpoint was signed for neither',
    ],
  ]
}

function wrongCheckpoints({ key, otherKey, events, honest, replaced, edited }: Ground): Row[] {
  const { kid } = publishedKey(key, origin)
  return [
    [
      'an older checkpoint',
      replaced('checkpoint', noteOf(events.slice(0, 10), key)),
      'tile/0/000.p/10 is missing',
    ],
    [
      'a checkpoint of other events, with their tiles',
      new Map(honest).set('checkpoint', Buffer.from(noteOf(forgedOf(events), key))),
      'checkpoint, line 3: the checkpoint was signed for other events than those of events.ndjson',
    ],
    [
      'a checkpoint without signatures',
      edited('checkpoint', (note) => note.split('\n\n')[0]!),
      'checkpoint is not a checkpoint of three lines with a signature',
    ],
    [
      'a checkpoint with a fourth line',
      edited('checkpoint', (note) => note.replace('\n\n', '\nmore\n\n')),
      'checkpoint is not a checkpoint of three lines with a signature',
    ],
    [
      'a checkpoint that is not UTF-8',
      replaced('checkpoint', Buffer.of(0xff)),
      'checkpoint: this is not UTF-8',
    ],
    [
      'an origin of another kind',
      edited('checkpoint', (note) => note.replace('heatmark/', 'example/')),
      "checkpoint, line 1: this is not the origin of a company's log",
    ],
    [
      'a size with a zero in front',
      edited('checkpoint', (note) => note.replace('\n300\n', '\n0300\n')),
      'checkpoint, line 2: this is not the size of a log',
    ],
    [
      'a size that no number holds exactly',
      edited('checkpoint', (note) => note.replace('\n300\n', '\n9007199254740993\n')),
      'checkpoint, line 2: this is not the size of a log',
    ],
    [
      'a hash in another form of base64',
      edited('checkpoint', (note) => note.replace('=\n\n', '\n\n')),
      'checkpoint, line 3: this is not a SHA-256 hash in base64',
    ],
    [
      'a hash that is too short',
      edited('checkpoint', (note) => note.replace(/\n[^\n]+\n\n/, '\nAAAA\n\n')),
      'checkpoint, line 3: this is not a SHA-256 hash in base64',
    ],
    [
      'a doubled signature',
      edited('checkpoint', (note) => `${note}${note.split('\n\n')[1]}`),
      `checkpoint, line 6: the key ${kid} has signed already`,
    ],
    [
      'a signature of another text',
      edited('checkpoint', (note) => note.replace('\n300\n', '\n301\n')),
      `checkpoint, line 5: the signature is not that of the key ${kid}`,
    ],
    [
      'a signature without its line feed',
      edited('checkpoint', (note) => note.slice(0, -1)),
      'checkpoint is cut off: it does not end with a line feed',
    ],
    [
      'a line that is no signature',
      edited('checkpoint', (note) => `${note}signed\n`),
      'checkpoint, line 6: this is not a signature',
    ],
    [
      'a signature without a key',
      edited('checkpoint', (note) => `${note}— ${origin} AAAA\n`),
      'checkpoint, line 6: this is not a signature',
    ],
    [
      'a signature in another form of base64',
      edited('checkpoint', (note) => `${note}— ${origin} AAAAAAB=\n`),
      'checkpoint, line 6: this is not a signature',
    ],
    [
      'a checkpoint without a known signature',
      replaced('checkpoint', noteOf(events, otherKey)),
      'checkpoint has no signature by a known key',
    ],
    [
      'a checkpoint signed under the name of another log',
      new Map(honest)
        .set('checkpoint', Buffer.from(foreignNoteOf(key).replace(foreignOrigin, origin)))
        .set('keys.json', Buffer.from(foreignKeysOf(key))),
      'checkpoint has no signature by a known key',
    ],
  ]
}

function wrongKeys({ key, otherKey, replaced }: Ground): Row[] {
  const published = publishedKey(key, origin)
  const keysWith = (part: Partial<Record<keyof PublishedKey, unknown>>): Files =>
    replaced('keys.json', keySetWith({ ...published, ...part }))
  const notKeys = 'keys.json is not a set of Ed25519 keys in the form that exports have'
  return [
    ['keys that are not JSON', replaced('keys.json', '{'), notKeys],
    ['no keys', replaced('keys.json', keySetWith()), notKeys],
    ['a key set without a list', replaced('keys.json', '{"keys":7}\n'), notKeys],
    ['a key that is null', replaced('keys.json', '{"keys":[null]}\n'), notKeys],
    ['a key without x', keysWith({ x: undefined }), notKeys],
    ['a key without vkey', keysWith({ vkey: undefined }), notKeys],
    ['a key that is too short', keysWith({ x: 'AAAA' }), notKeys],
    ['a key with another kid', keysWith({ kid: 'another' }), notKeys],
    ['a key with another vkey', keysWith({ vkey: publishedKey(otherKey, origin).vkey }), notKeys],
  ]
}

function wrongPersons({ edited, replaced }: Ground): Row[] {
  const personWith = (part: object): Files =>
    replaced('persons.ndjson', `${JSON.stringify({ ...persons[0], ...part })}\n`)
  const notPerson = 'persons.ndjson, line 1: this is not a person in the form that exports have'
  return [
    [
      'another name',
      edited('persons.ndjson', (text) => text.replace('Anna', 'Anne')),
      'persons.ndjson, line 1: the name is not the one whose hash the events hold',
    ],
    [
      'a name of somebody else',
      edited('persons.ndjson', (text) => text.replace('user-0', 'user-1')),
      'persons.ndjson, line 1: no event has this author',
    ],
    [
      'a person named twice',
      edited('persons.ndjson', (text) => text + text),
      'persons.ndjson, line 3: the person is named twice',
    ],
    ['a person that is not JSON', replaced('persons.ndjson', '{\n'), notPerson],
    ['a person with another member', personWith({ more: 1 }), notPerson],
    ['a name that is a number', personWith({ name: 7 }), notPerson],
    ['a salt that is a number', personWith({ salt: 7 }), notPerson],
    ['a salt that is not hex', personWith({ salt: 'salt' }), notPerson],
  ]
}

const foreignOrigin = originOf(storeId, id(9))
const foreignNoteOf = (key: LocalSigningKey) =>
  checkpointNote(foreignOrigin, { size: 0, root: Buffer.alloc(32) }, key)
const foreignKeysOf = (key: LocalSigningKey) => keySetWith(publishedKey(key, foreignOrigin))

/** Whole histories that were changed and signed again, and other things to compare an honest one with. */
export const onReplacedKeys =
  'If the operator has replaced the key, ask the operator for the new one through another channel than this file, and give it with a second --keys.'

async function signedAgain({ key, otherKey, events, honest, older }: Ground): Promise<Row[]> {
  const forged = forgedOf(events)
  const foreign = { name: 'foreign', note: foreignNoteOf(key) }
  const foreignKeys = foreignKeysOf(key)
  return [
    [
      'a history signed by another key',
      await filesOf(forged, otherKey),
      `keys.json has none of the trusted keys: the export is signed by ${publishedKey(otherKey, origin).kid}. ${onReplacedKeys}`,
      { keys: [keySetOf(key)] },
    ],
    [
      'a history signed by a key that has replaced the kept one',
      await filesOf(events, otherKey, { olderKeys: [key] }),
      `checkpoint is signed by the key ${publishedKey(otherKey, origin).kid}, and by none of --keys. ${onReplacedKeys}`,
      { keys: [keySetOf(key)] },
    ],
    [
      'an honest history after its key was lost, with both keys and an older checkpoint',
      await filesOf(events, otherKey),
      allIsWell,
      { keys: [keySetOf(key), keySetOf(otherKey)], checkpoints: [older] },
    ],
    [
      'a history that was changed when its key was replaced',
      await filesOf(forged, otherKey),
      'older.txt was signed for other events: something in the first 200 events of events.ndjson was changed later',
      { keys: [keySetOf(key), keySetOf(otherKey)], checkpoints: [older] },
    ],
    [
      'a history signed by the same key again',
      await filesOf(forged, key),
      'older.txt was signed for other events: something in the first 200 events of events.ndjson was changed later',
      { checkpoints: [older] },
    ],
    [
      'a history whose end was cut off',
      await filesOf(events.slice(0, 150), key),
      'older.txt covers 200 events, but the export has only 150: the end is cut off, or the export is older',
      { checkpoints: [older] },
    ],
    [
      'a checkpoint of a log whose key is not at hand',
      honest,
      `foreign belongs to another log: ${foreignOrigin}`,
      { checkpoints: [foreign] },
    ],
    [
      'a checkpoint of another log',
      honest,
      `foreign belongs to another log: ${foreignOrigin}`,
      { keys: [keySetOf(key), foreignKeys], checkpoints: [foreign] },
    ],
    [
      'the history of another company',
      honest,
      `keys.json belongs to another log than the trusted keys: ${origin}`,
      { keys: [foreignKeys] },
    ],
    [
      'a key set that is no key set',
      honest,
      'the file of --keys is not a set of Ed25519 keys in the form that exports have',
      { keys: ['{}'] },
    ],
    [
      'an older checkpoint of no events with another root',
      honest,
      'none.txt was signed for other events: something in the first 0 events of events.ndjson was changed later',
      {
        checkpoints: [
          { name: 'none.txt', note: checkpointNote(origin, { size: 0, root: Buffer.alloc(32) }, key) },
        ],
      },
    ],
  ]
}

async function honestOnes({ key, otherKey, events, honest, older, without, edited }: Ground): Promise<Row[]> {
  const withEvent = (index: number, part: object): Promise<Files> =>
    filesOf(events.with(index, { ...events[index]!, ...part } as Recorded), key)
  return [
    ['an export', honest, allIsWell],
    ['an export with trusted keys', honest, allIsWell, { keys: [keySetOf(otherKey), keySetOf(key)] }],
    ['an export with an older checkpoint', honest, allIsWell, { checkpoints: [older] }],
    ['an export without an explanation', without('README.txt'), allIsWell],
    [
      'an export with a signature by an unknown key',
      edited('checkpoint', (note) => `${note}${noteOf(events, otherKey).split('\n\n')[1]}`),
      allIsWell,
    ],
    ['an empty history', await filesOf([], key), allIsWell],
    ['an event without metadata', await withEvent(5, { metadata: null }), allIsWell],
    ['an event without data', await withEvent(5, { data: null }), allIsWell],
    [
      'a company stream in capital letters',
      await withEvent(299, { streamName: `order-${companyId.toUpperCase()}`, revision: 0 }),
      allIsWell,
    ],
  ]
}

function zipFiles(zip: Buffer): Row[] {
  const end = zip.length - 22
  const [files, from] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 16)]
  const directory = zip.subarray(from, end)
  const entry = directory.subarray(0, directory.indexOf('PK\x01\x02', 4))
  const second = from + entry.length
  const zipWith = (edit: (copy: Buffer) => void): Buffer => {
    const copy = Buffer.from(zip)
    edit(copy)
    return copy
  }
  const withDirectory = (bytes: Buffer, count: number): Buffer => {
    const last = Buffer.from(zip.subarray(end))
    last.writeUInt16LE(count, 10)
    last.writeUInt32LE(bytes.length, 12)
    return Buffer.concat([zip.subarray(0, from), bytes, last])
  }
  const large = (added: number): Buffer => inLargeForm(zip, { files, from, end, secondEnd: end + added })
  const notWhole = 'this is not a whole ZIP file: its directory is missing or damaged'
  const damaged = (path: string) => `${path} cannot be unpacked: the ZIP file is damaged or cut off`
  return [
    ['a ZIP file', zip, allIsWell],
    ['a ZIP file that breaks off', zip.subarray(0, -1_000), notWhole],
    ['an empty file', Buffer.alloc(0), notWhole],
    ['a ZIP file with two ends', Buffer.concat([zip, zip.subarray(end)]), notWhole],
    [
      'a ZIP file with a comment',
      Buffer.concat([zipWith((copy) => copy.writeUInt16LE(4, end + 20)), Buffer.from('more')]),
      notWhole,
    ],
    [
      'a ZIP file whose end names a comment that is not there',
      zipWith((copy) => copy.writeUInt16LE(4, end + 20)),
      notWhole,
    ],
    ['a ZIP file with something in front', Buffer.concat([Buffer.alloc(40), zip]), notWhole],
    [
      'a ZIP file whose directory has a file less',
      zipWith((copy) => copy.writeUInt16LE(zip.readUInt16LE(end + 10) - 1, end + 10)),
      notWhole,
    ],
    [
      'a ZIP file whose directory has a file more',
      zipWith((copy) => copy.writeUInt16LE(zip.readUInt16LE(end + 10) + 1, end + 10)),
      notWhole,
    ],
    ['a ZIP file with a damaged directory', zipWith((copy) => copy.fill(0, from, from + 4)), notWhole],
    [
      'a ZIP file with another name before the content',
      zipWith((copy) => copy.write('E', 30)),
      damaged('events.ndjson'),
    ],
    [
      'a ZIP file with a damaged head of a file',
      zipWith((copy) => copy.fill(0, 0, 4)),
      damaged('events.ndjson'),
    ],
    [
      'a ZIP file of another packing',
      zipWith((copy) => copy.writeUInt16LE(12, from + 10)),
      damaged('events.ndjson'),
    ],
    ['a ZIP file with damaged content', zipWith((copy) => copy.fill(0xff, 60, 90)), damaged('events.ndjson')],
    [
      'a ZIP file that claims more content',
      zipWith((copy) => copy.writeUInt32LE(zip.length, from + 20)),
      damaged('events.ndjson'),
    ],
    [
      'a ZIP file that claims larger content',
      zipWith((copy) => copy.writeUInt32LE(zip.readUInt32LE(from + 24) + 1, from + 24)),
      damaged('events.ndjson'),
    ],
    [
      'a ZIP file that claims smaller content',
      zipWith((copy) => copy.writeUInt32LE(zip.readUInt32LE(from + 24) - 1, from + 24)),
      damaged('events.ndjson'),
    ],
    ['a ZIP file without the mark of its end', zipWith((copy) => copy.fill(0, end, end + 4)), notWhole],
    [
      'a ZIP file with a file twice',
      withDirectory(Buffer.concat([entry, directory]), files + 1),
      'the ZIP file holds events.ndjson twice',
    ],
    [
      'a ZIP file with a checkpoint that claims to be large',
      zipWith((copy) => copy.writeUInt32LE(2 ** 31, second + 24)),
      'checkpoint is far too large',
    ],
    [
      'a ZIP file with a file beyond its end',
      zipWith((copy) => copy.writeUInt32LE(2 ** 31, from + 42)),
      damaged('events.ndjson'),
    ],
    [
      'a ZIP file with a file that is packed into one byte less',
      zipWith((copy) => copy.writeUInt32LE(zip.readUInt32LE(from + 20) - 1, from + 20)),
      damaged('events.ndjson'),
    ],
    ['a large ZIP file', large(0), allIsWell],
    ['a large ZIP file without the mark of its second end', large(0).fill(0, end, end + 4), notWhole],
    ['a large ZIP file whose second end is beyond the file', large(2 ** 31), notWhole],
  ]
}

/** The form for ZIP files of more than 4 GiB. */
function inLargeForm(
  zip: Buffer,
  { files, from, end, secondEnd }: Readonly<Record<'files' | 'from' | 'end' | 'secondEnd', number>>,
): Buffer {
  const [large, locator, last] = [Buffer.alloc(56), Buffer.alloc(20), Buffer.from(zip.subarray(end))]
  large.writeUInt32LE(0x06064b50, 0)
  for (const [at, value] of [
    [32, files],
    [40, end - from],
    [48, from],
  ] as const)
    large.writeBigUInt64LE(BigInt(value), at)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(secondEnd), 8)
  last.fill(0xff, 8, 20)
  return Buffer.concat([zip.subarray(0, end), large, locator, last])
}

/** Exports with an older checkpoint and its timestamp. */
async function timestamped({ honest, older, events, key }: Ground): Promise<Row[]> {
  const root = await signerOf('Root')
  const between = await signerOf('Between', { issuer: root })
  const authority = await signerOf('Authority', { issuer: between, usage: forTimestamps })
  const unfit = await signerOf('Unfit', { issuer: between, usage: '1.3.6.1.5.5.7.3.2' })
  const expired = await signerOf('Expired', {
    issuer: root,
    usage: forTimestamps,
    until: '2026-02-01T00:00:00Z',
  })
  const stranger = await signerOf('Stranger', { usage: forTimestamps })
  const note = Buffer.from(older.note)
  const chain = [between.certificate, authority.certificate]
  const right = tokenOf(note, authority, { certificates: chain })
  const withAnchor = (timestamp: Buffer, checkpoint: Buffer | string = note): Files =>
    new Map(honest).set('anchor/checkpoint', Buffer.from(checkpoint)).set('anchor/timestamp', timestamp)
  const withoutPart = (path: string): Files => {
    const files = new Map(withAnchor(right))
    files.delete(path)
    return files
  }
  const tsa = [root.pem]
  const notTimestamp = 'anchor/timestamp is not a timestamp of RFC 3161'
  const forgedNote = noteOf(forgedOf(events).slice(0, 200), key)
  return [
    ['a timestamp', withAnchor(right), allIsWell, { tsa }],
    ['a timestamp whose authority nobody has named', withAnchor(right), allIsWell],
    [
      'a timestamp of an authority that is itself named',
      withAnchor(right),
      allIsWell,
      { tsa: [authority.pem] },
    ],
    ['a checkpoint without its timestamp', withoutPart('anchor/timestamp'), 'anchor/timestamp is missing'],
    ['a timestamp without its checkpoint', withoutPart('anchor/checkpoint'), 'anchor/checkpoint is missing'],
    [
      'a timestamp of other events',
      withAnchor(tokenOf(Buffer.from(forgedNote), authority), forgedNote),
      'anchor/checkpoint was signed for other events: something in the first 200 events of events.ndjson was changed later',
    ],
    [
      'a timestamp of another text',
      withAnchor(tokenOf(Buffer.from('another'), authority)),
      'anchor/timestamp: the authority has confirmed something else than anchor/checkpoint',
    ],
    [
      'a timestamp that was put into the place of another',
      withAnchor(tokenOf(note, authority, { signed: Buffer.from('another') })),
      'anchor/timestamp: the signature is that of another timestamp',
    ],
    [
      'a timestamp that was signed as something else',
      withAnchor(tokenOf(note, authority, { contentType: oid('2a864886f70d010701') })),
      'anchor/timestamp: it was signed as something else than a timestamp',
    ],
    [
      'a timestamp by another key',
      withAnchor(tokenOf(note, stranger, { certificates: chain })),
      'anchor/timestamp: the signature is not that of a certificate in it',
    ],
    [
      'a timestamp by a certificate for another use',
      withAnchor(tokenOf(note, unfit, { certificates: [between.certificate, unfit.certificate] })),
      'anchor/timestamp: the certificate is not one for timestamps',
      { tsa },
    ],
    [
      'a timestamp after the end of the certificate',
      withAnchor(tokenOf(note, expired)),
      'anchor/timestamp: the certificate was not valid at the time of the timestamp',
      { tsa },
    ],
    [
      'a timestamp before the begin of the certificate',
      withAnchor(tokenOf(note, authority, { time: '20250101000000Z' })),
      'anchor/timestamp: the certificate was not valid at the time of the timestamp',
    ],
    [
      'a timestamp by an authority that nobody trusts',
      withAnchor(tokenOf(note, stranger)),
      'anchor/timestamp: the certificate was not issued by one of --tsa',
      { tsa },
    ],
    [
      'a timestamp without the certificate between',
      withAnchor(tokenOf(note, authority)),
      'anchor/timestamp: the certificate was not issued by one of --tsa',
      { tsa },
    ],
    [
      'a timestamp with a time that is none',
      withAnchor(tokenOf(note, authority, { time: 'yesterday' })),
      notTimestamp,
    ],
    [
      'a timestamp with a certificate that is none',
      withAnchor(tokenOf(note, authority, { certificates: [list(0x30)] })),
      notTimestamp,
    ],
    ['a timestamp that is cut off', withAnchor(right.subarray(0, -1)), notTimestamp],
    ['an empty timestamp', withAnchor(Buffer.alloc(0)), notTimestamp],
    ['a timestamp that is text', withAnchor(Buffer.from('yesterday')), notTimestamp],
    [
      'a file of certificates without any',
      withAnchor(right),
      'the file of --tsa has no certificate',
      { tsa: ['none'] },
    ],
  ]
}

/** A verifier that went on here would not end. */
function endless({ key, replaced }: Ground): Row[] {
  const note = checkpointNote(origin, { size: Number.MAX_SAFE_INTEGER, root: Buffer.alloc(32) }, key)
  return [
    [
      'a checkpoint of more events than any export has',
      replaced('checkpoint', note),
      'tile/0/001 is missing',
    ],
  ]
}

function forgedOf(events: readonly Recorded[]): Recorded[] {
  return events.with(100, { ...events[100]!, data: { heatNumber: 'H 9' } } as Recorded)
}

function keySetWith(...keys: readonly object[]): string {
  return `${JSON.stringify({ keys })}\n`
}
