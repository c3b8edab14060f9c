import { mkdirSync } from 'node:fs'
import { relative } from 'node:path'
import { projections } from '../../src/projections/all.ts'
import { writeMissing } from './golden.ts'
import { story } from './story.ts'

for (const name of ['events', 'rows']) mkdirSync(new URL(`./${name}/`, import.meta.url), { recursive: true })
const written = [...writeMissing(story, projections)]
console.log(written.map((path) => `wrote ${relative('.', path)}`).join('\n') || 'no golden file is missing')
