import { relative } from 'node:path'
import { writeMissing } from './golden.ts'
import { story } from './story.ts'

const written = writeMissing(story)
console.log(written.map((path) => `wrote ${relative('.', path)}`).join('\n') || 'no golden file is missing')
