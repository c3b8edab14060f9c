import { expect, it } from 'vitest'
import {
  isDemanding,
  readOptions,
  readSubstitutes,
  textOfSubstitutes,
} from '../../src/portal/screens/orders/demandTexts.ts'

const nothing = {
  ...{ zQuality: '', ultrasonicClass: '', surfaceClass: '', siliconClass: '' },
  ...{ mostCev: '', impactTemperatureC: '', impactJoule: '' },
}

const none = {
  ...{ zQuality: null, ultrasonicClass: null, surfaceClass: null, siliconClass: null },
  ...{ mostCev: null, impactTemperatureC: null, impactJoule: null },
}

it('reads what a person has written, and leaves faults to the service', () => {
  expect(readOptions(nothing, false)).toBeNull()
  expect(readOptions(nothing, true)).toEqual({ ...none, normalisedRolling: true })
  expect(
    readOptions({ ...nothing, zQuality: ' z25 ', mostCev: '0,43', impactTemperatureC: '−40' }, false),
  ).toEqual({ ...none, zQuality: 'Z25', mostCev: 0.43, impactTemperatureC: -40, normalisedRolling: false })
  expect(readOptions({ ...nothing, mostCev: 'low' }, false)).toMatchObject({ mostCev: 'low' })
})

it('reads the substitutes that it writes', () => {
  const substitutes = [
    { grade: 'S355K2+N', reference: 'DR 9; letter of 3 May' },
    { grade: 'S355N', reference: 'DR 10' },
  ]
  expect(readSubstitutes(`${textOfSubstitutes(substitutes)}\n`)).toEqual(substitutes)
  expect(readSubstitutes(' \n')).toBeNull()
  expect(readSubstitutes('S355N')).toEqual([{ grade: 'S355N', reference: '' }])
})

it('knows an order or line that states nothing, though its options are there', () => {
  const none = { zQuality: null, normalisedRolling: false } as never
  expect(isDemanding({ options: none, allowedSubstitutes: null })).toBe(false)
  expect(
    isDemanding({
      options: { ...(none as object), normalisedRolling: true } as never,
      allowedSubstitutes: null,
    }),
  ).toBe(true)
  expect(isDemanding({ options: null, allowedSubstitutes: [{ grade: 'S355K2', reference: 'L 1' }] })).toBe(
    true,
  )
})
