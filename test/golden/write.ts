import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { aggregates } from '../../src/domain/aggregates.ts'
import { projections } from '../../src/projections/all.ts'
import { document } from '../support/operations.ts'
import { type AnyAggregate, writeMissing } from './golden.ts'
import { breaksOf, type Interface, interfaceFile, interfaceOf } from './interface.ts'
import { story } from './story.ts'
import { writeVerdicts } from './verdicts.ts'

for (const name of ['events', 'rows', 'states'])
  mkdirSync(new URL(`./${name}/`, import.meta.url), { recursive: true })
const all = aggregates as unknown as readonly AnyAggregate[]
const written = [...writeMissing(story, projections, all), ...writeVerdicts(), ...writeInterface()]
console.log(written.map((path) => `wrote ${relative('.', path)}`).join('\n') || 'no golden file is missing')

/** Write the interface with its additions. An interface that breaks a promise is not written. */
function writeInterface(): string[] {
  const present = interfaceOf(document)
  const promised: Interface | undefined = existsSync(interfaceFile)
    ? JSON.parse(readFileSync(interfaceFile, 'utf8'))
    : undefined
  if (isDeepStrictEqual(promised, JSON.parse(JSON.stringify(present)))) return []
  const breaks = promised ? breaksOf(promised, present) : []
  if (breaks.length > 0) {
    console.error(`The interface breaks what callers rely on, so it was not written:\n${breaks.join('\n')}`)
    process.exitCode = 1
    return []
  }
  writeFileSync(interfaceFile, `${JSON.stringify(present, null, 1)}\n`)
  return [interfaceFile]
}
