import { describe } from 'vitest'
import { hasChromium } from '../support/chromium.ts'
import {
  approveAPlan,
  approveWithoutKnowing,
  findOneAmongMany,
  findWhatMayBeCut,
  tapTwiceOnTheBoard,
  walkTheTable,
} from './boardJourneys.ts'
import { workOffline } from './offlineJourneys.ts'
import { workAtTheSaw } from './sawJourneys.ts'
import { workAWholeShift } from './sawSessions.ts'
import { leaveTaps } from './waitingTaps.ts'

/** Journeys of people with gloves: at the saw, with and without a network, and on the board. */

describe.skipIf(!hasChromium)('the saw', () => {
  workAtTheSaw()
  workOffline()
  leaveTaps()
  workAWholeShift()
})

describe.skipIf(!hasChromium)('the board', () => {
  tapTwiceOnTheBoard()
  findWhatMayBeCut()
  findOneAmongMany()
  approveAPlan()
  walkTheTable()
  approveWithoutKnowing()
})
