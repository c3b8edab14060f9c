import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Recorded } from '../../src/domain/event.ts'

/** Read the golden events, and write those that are missing. */

/** The name of the first golden event of a type and version. A later one has its position behind this name. */
export function nameOf(event: Recorded): string {
  return `${event.type}.${event.metadata.schemaVersion}`
}

export interface GoldenEvent {
  /** The name of its file. */
  readonly name: string
  readonly event: Recorded
}

/**
 * Return an event of every type and version that any release has stored, and of every set of fields that one version has
 * had, in the order of their positions.
 */
export function storedEvents(): GoldenEvent[] {
  return readdirSync(folder('events'))
    .map((file) => ({
      name: file.replace(/\.json$/, ''),
      event: read(`${folder('events')}${file}`) as Recorded,
    }))
    .sort((a, b) => a.event.position - b.event.position)
}

/** Write the missing files. */
export function writeMissing(story: readonly Recorded[]): string[] {
  const written: string[] = []
  const write = (path: string, content: unknown) => {
    writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
    written.push(path)
  }
  for (const event of story) {
    const known = storedEvents()
    if (known.some((golden) => golden.event.position === event.position)) continue
    const first = nameOf(event)
    const name = known.some((golden) => golden.name === first) ? `${first}-${event.position}` : first
    write(`${folder('events')}${name}.json`, event)
  }
  return written
}

function folder(name: string) {
  return new URL(`./${name}/`, import.meta.url).pathname
}

function read(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
