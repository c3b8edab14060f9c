import { beforeAll, describe } from 'vitest'
import { hasChromium } from '../support/chromium.ts'
import { lookAtDialogs } from './dialogLooks.ts'
import { changeBesideOthers } from './dialogsBesideOthers.ts'
import { useDialogsByKeyboard } from './dialogsByKeyboard.ts'
import { walkByKeyboard } from './keyboardPath.ts'
import { workOnASlowNetwork } from './slowJourneys.ts'
import { send } from './yard.ts'

/** Journeys through the dialogs, with a look at each of them. */

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
