import { chmodSync, existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sqliteCode } from '../../exclusiveLock.ts'

/** Marks the file as an event store's: "HMES". */
const APPLICATION_ID = 0x484d4553

/** The version of the tables below. Raise it with every change to them. */
const FORMAT = 1

const TABLES = `
  CREATE TABLE stream (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE event (
    position INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL REFERENCES stream,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    json INTEGER NOT NULL,
    created INTEGER NOT NULL,
    data BLOB NOT NULL,
    metadata BLOB NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX event_by_stream ON event (stream, revision);
`

/** Milliseconds to wait for another connection, which may be repairing the file after a kill. */
const BUSY_TIMEOUT = 5000

/** In bytes. Larger files are checked only in backups, so that a start does not take seconds. */
const QUICK_CHECK_LIMIT = 64 * 1024 * 1024

/**
 * Open the file for the one writer; create it if it does not exist.
 * @throws Error of one line that names the file and the fault
 */
export function openForWriting(file: string): DatabaseSync {
  return explainFailure(file, () => {
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT })
    if (isNew(database)) create(database)
    else refuseForeign(database, file)
    // With FULL an acknowledged append survives a power cut, and not only the end of this process.
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864',
    )
    if (pragma(database, 'journal_mode') !== 'wal')
      throw new Error(`${file}: this disk allows no write-ahead log`)
    if (statSync(file).size <= QUICK_CHECK_LIMIT) refuseDamaged(database, file)
    // This write fails now if the disk is full or read-only, and not at the first append.
    database.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${FORMAT}; COMMIT`)
    return database
  })
}

/**
 * Let this user alone read the file and what SQLite keeps beside it.
 * @throws Error of one line when the files are somebody else's
 */
export function makePrivate(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`, `${file}-lock`]) {
    if (!existsSync(name)) continue
    try {
      chmodSync(name, 0o600)
    } catch (error) {
      throw new Error(`${name}: cannot be kept from other users: ${(error as Error).message}`)
    }
  }
}

/**
 * Open an existing file for reading; a writer may have it open too.
 * @throws Error of one line that names the file and the fault
 */
export function openForReading(file: string): DatabaseSync {
  return explainFailure(file, () => {
    if (!existsSync(file)) throw new Error(`${file} does not exist`)
    const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT })
    refuseForeign(database, file)
    return database
  })
}

/** Run an operation on the file, and turn an SQLite error into one line that names the file. */
export function explainFailure<T>(file: string, operation: () => T): T {
  try {
    return operation()
  } catch (error) {
    throw new Error(explain(file, error))
  }
}

/** The fault of the file in one line. */
export function explain(file: string, error: unknown): string {
  const { message } = error as Error
  const code = sqliteCode(error)
  return code === undefined ? message : `${file}: ${faults[code] ?? message}`
}

/** SQLite's codes for a write that finds no room: a full disk, and a failed write, which an exceeded quota causes. */
const fullCodes = [13, 778]

/** Whether a write failed because the disk or the quota takes no more data. */
export function isFull(error: unknown): boolean {
  return fullCodes.includes((error as { errcode?: number }).errcode ?? 0)
}

const faults: Record<number, string> = {
  5: 'is in use by another process',
  8: 'cannot be written: the disk or the file is read-only',
  10: 'cannot be read or written: the disk reports an error',
  11: 'is damaged',
  13: 'cannot be written: the disk is full',
  14: 'cannot be opened: no such folder, or no permission',
  26: 'is not an event store: it is damaged or not an SQLite file',
}

function isNew(database: DatabaseSync): boolean {
  return pragma(database, 'application_id') === 0 && count(database, 'sqlite_schema') === 0
}

function create(database: DatabaseSync): void {
  database.exec(`BEGIN IMMEDIATE; ${TABLES} PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${FORMAT}; COMMIT`)
}

function refuseForeign(database: DatabaseSync, file: string): void {
  if (pragma(database, 'application_id') !== APPLICATION_ID) {
    throw new Error(`${file}: is not an event store, but an SQLite file of another application`)
  }
  const format = pragma(database, 'user_version')
  if (format === FORMAT) return
  throw new Error(`${file}: has format ${format}, but this release reads format ${FORMAT}`)
}

function refuseDamaged(database: DatabaseSync, file: string): void {
  const fault = database.prepare('PRAGMA quick_check(1)').get()?.quick_check
  if (fault !== 'ok') throw new Error(`${file}: is damaged: ${String(fault).replaceAll('\n', ' ')}`)
}

function pragma(database: DatabaseSync, name: string): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name]
}

function count(database: DatabaseSync, table: string): unknown {
  return database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows
}
