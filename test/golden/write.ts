import { mkdirSync } from 'node:fs'
import { relative } from 'node:path'
import { aggregates } from '../../src/domain/aggregates.ts'
import { projections } from '../../src/projections/all.ts'
import { type AnyAggregate, writeMissing } from './golden.ts'
import { story } from './story.ts'
import { writeVerdicts } from './verdicts.ts'

for (const name of ['events', 'rows', 'states'])
  mkdirSync(new URL(`./${name}/`, import.meta.url), { recursive: true })
const all = aggregates as unknown as readonly AnyAggregate[]
const written = [...writeMissing(story, projections, all), ...writeVerdicts()]
console.log(written.map((path) => `wrote ${relative('.', path)}`).join('\n') || 'no golden file is missing')
