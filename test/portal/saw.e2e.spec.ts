import { describe } from 'vitest'
import { hasChromium } from '../support/chromium.ts'
import { workAtTheSaw } from './sawJourneys.ts'

describe.skipIf(!hasChromium)('the saw', workAtTheSaw)
