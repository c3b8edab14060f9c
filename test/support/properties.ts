import fc from 'fast-check'
import { cases } from './size.ts'

/** Vitest runs this for each file of pure specs: their properties try as many cases as the size of the run says. */
fc.configureGlobal({ numRuns: cases })
