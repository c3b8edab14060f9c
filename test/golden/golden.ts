import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Recorded } from '../../src/domain/kernel/event.ts'

/** The golden events: one stored event of each type and schema version. */

export interface GoldenEvent {
  /** The name of its file: the type, and from version 2 on the version. */
  readonly name: string
  readonly event: Recorded
}

const folder = new URL('./events/', import.meta.url).pathname

export function nameOf({ type, metadata: { schemaVersion } }: Recorded): string {
  return schemaVersion === 1 ? type : `${type}.${schemaVersion}`
}

/** Return them in the order of their positions, the newest version of an event last. */
export function storedEvents(): GoldenEvent[] {
  return readdirSync(folder)
    .map((file) => ({
      name: file.replace(/\.json$/, ''),
      event: JSON.parse(readFileSync(`${folder}${file}`, 'utf8')) as Recorded,
    }))
    .sort(
      ({ event: a }, { event: b }) =>
        a.position - b.position || a.metadata.schemaVersion - b.metadata.schemaVersion,
    )
}

/** Write the events whose type and version have no file. Return the files. */
export function writeMissing(story: readonly Recorded[]): string[] {
  const known = new Set(storedEvents().map(({ name }) => name))
  const missing = story.filter((event) => !known.has(nameOf(event)))
  return missing.map((event) => {
    const file = `${folder}${nameOf(event)}.json`
    writeFileSync(file, textOf(event))
    return file
  })
}

/** Return an event as JSON with a line for each member of its data and metadata. */
export function textOf(event: Recorded): string {
  const members = (of: object, indent: string, print: (value: unknown) => string) => {
    const lines = Object.entries(of)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${indent}  "${name}": ${print(value)}`)
    return `{\n${lines.join(',\n')}\n${indent}}`
  }
  const inner = (value: unknown) =>
    typeof value === 'object' ? members(value!, '  ', JSON.stringify) : JSON.stringify(value)
  return `${members(event, '', inner)}\n`
}
