import { beforeAll, describe } from 'vitest'
import { hasChromium } from '../support/chromium.ts'
import { changeBesideOthers, lookAtDialogs, useDialogsByKeyboard } from './dialogJourneys.ts'
import { walkByKeyboard } from './keyboardPath.ts'
import { workOnASlowNetwork } from './slowJourneys.ts'
import { send } from './yard.ts'

/** Journeys through the dialogs, and a look at each of them. */

beforeAll(async () => {
  if (hasChromium) await send('POST', '/rule-packs/en1090-2-inspection-documents/subscribe')
})

describe.skipIf(!hasChromium)('dialogs by keyboard', useDialogsByKeyboard)

describe.skipIf(!hasChromium)('a path by keyboard', walkByKeyboard)

describe.skipIf(!hasChromium)('a slow network', workOnASlowNetwork)

describe.skipIf(!hasChromium)('dialogs beside others', changeBesideOthers)

describe.skipIf(!hasChromium)('every dialog is accessible', lookAtDialogs)
