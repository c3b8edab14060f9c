import { beforeAll, describe } from 'vitest'
import { hasChromium } from '../support/chromium.ts'
import { findWhatMayBeCut, tapTwiceOnTheBoard } from './boardJourneys.ts'
import { changeBesideOthers, lookAtDialogs, useDialogsByKeyboard } from './dialogJourneys.ts'
import { walkByKeyboard } from './keyboardPath.ts'
import { workAtTheSaw } from './sawJourneys.ts'
import { workOnASlowNetwork } from './slowJourneys.ts'
import { send } from './yard.ts'

/**
 * Journeys at the saw, and through the dialogs, with a look at each of them. They are in one file because the stack and
 * the browser of a file take about as much time of the processor as half of the dialogs.
 */

describe.skipIf(!hasChromium)('the saw', workAtTheSaw)

describe.skipIf(!hasChromium)('the board', () => {
  tapTwiceOnTheBoard()
  findWhatMayBeCut()
})

describe.skipIf(!hasChromium)('dialogs', () => {
  beforeAll(async () => {
    await send('POST', '/rule-packs/en1090-2-inspection-documents/subscribe')
  })

  describe('by keyboard', useDialogsByKeyboard)

  describe('on a path by keyboard', walkByKeyboard)

  describe('on a slow network', workOnASlowNetwork)

  describe('beside others', changeBesideOthers)

  describe('are accessible, each of them', lookAtDialogs)
})
