import { elementSymbols } from '../../src/domain/certificates/elements.ts'
import type { ImpactTest, MaterialTest, TensileTest } from '../../src/domain/certificates/materialTests.ts'
import { certificateSubject } from './shipped.ts'

/** Certificates that a table writes in one line. A value that is not listed is sound. */

const sound = {
  chemistry: {
    C: 0.1,
    Si: 0.2,
    Mn: 0.9,
    P: 0.01,
    S: 0.01,
    N: 0.005,
    Al: 0.03,
    Cu: 0.02,
    Cr: 0.02,
    Mo: 0.01,
    Ni: 0.02,
    V: 0,
  },
  mechanical: { reHMpa: 480, rmMpa: 500, a5Percent: 30, kvJoule: 100, kvTemperatureC: -20 },
}
const rmOf: Readonly<Record<string, number>> = { S235: 400, S275: 450, S355: 550, S460: 600 }
const mechanicalNames: Readonly<Record<string, string>> = {
  reH: 'reHMpa',
  rm: 'rmMpa',
  a: 'a5Percent',
  kv: 'kvJoule',
  kt: 'kvTemperatureC',
}

/** Read `30/27/19@-20w7.5t`: values in J, temperature in °C, width of the specimen in mm, and `t` for transverse. */
function impactTestOf(text: string): ImpactTest {
  const [, values, temperature, width, transverse] = /^([\d./]+)@(-?\d*)(?:w([\d.]+))?(t?)$/.exec(text)!
  return {
    kind: 'impact',
    location: null,
    averageJoule: null,
    direction: transverse ? 'transverse' : null,
    temperatureC: temperature ? +temperature : null,
    specimenWidthMm: width ? +width : null,
    valuesJoule: values!.split('/').map(Number),
  }
}

const tensileNames = {
  re: 'reHMpa',
  rl: 'reLMpa',
  rp: 'rp02Mpa',
  rm: 'rmMpa',
  a: 'elongationPercent',
  e: 'elongationPercent',
} as const
const directions = { l: 'longitudinal', t: 'transverse', '': null } as const

/**
 * Read `rm520`, `re380` (ReH), `rl360` (ReL), `rp380` (Rp0.2), `a21t` or `e17l` (elongation over 80 mm): a property with its value, and `l` for
 * lengthwise or `t` for transverse. A plus sign joins properties of one test, as in `re380+rm520`.
 */
function tensileTestOf(text: string): TensileTest {
  const properties = text.split('+').map((property) => /^(re|rl|rp|rm|a|e)([\d.]+)([lt]?)$/.exec(property)!)
  const [, , , direction] = properties.find(([, , , stated]) => stated) ?? []
  const values = properties.map(([, name, value]) => [tensileNames[name as 'rp'], Number(value)])
  const none = { location: null, reHMpa: null, reLMpa: null, rp02Mpa: null, rmMpa: null }
  return {
    kind: 'tensile',
    ...none,
    rawYieldKind: null,
    rawYieldMpa: null,
    elongationPercent: null,
    gaugeLength: properties.some(([, name]) => name === 'e') ? '80' : '5.65',
    direction: directions[(direction ?? '') as 'l'],
    ...Object.fromEntries(values),
  }
}

/** Read `S355J2 Plate 20 C=0.24 V=? standard=EN_10025-2`: grade, form, thickness, and values; `?` is a missing one. */
export function certificateOf(text: string) {
  const [grade, form, thickness, ...values] = text.split(/\s+/) as [string, string, string, ...string[]]
  const analysis: Record<string, unknown> = { ...sound.chemistry }
  const tested: Record<string, unknown> = { ...sound.mechanical, rmMpa: rmOf[grade.slice(0, 4)] ?? 500 }
  const others: Record<string, unknown> = {}
  const tests: MaterialTest[] = []
  for (const [name, value] of values.map((pair) => pair.split('=') as [string, string])) {
    const read =
      /^-?[\d.]+$/.test(value) && name !== 'inspectionDocument' ? +value : value.replaceAll('_', ' ')
    if ((elementSymbols as readonly string[]).includes(name)) analysis[name] = value === '?' ? null : read
    else if (name === 'tests') tests.push(...value.split(';').map(impactTestOf))
    else if (name === 'tensile') tests.push(...value.split(';').map(tensileTestOf))
    else if (mechanicalNames[name]) tested[mechanicalNames[name]] = value === '?' ? null : read
    else others[name] = value === '?' ? null : read
  }
  if (tests.some(({ kind }) => kind === 'impact'))
    Object.assign(tested, { kvJoule: null, kvTemperatureC: null })
  return certificateSubject({
    grade: grade.replaceAll('_', ' '),
    productForm: form === '–' ? null : (form as 'Plate'),
    thicknessMm: thickness === '–' ? null : +thickness,
    chemistry: analysis as Record<string, number>,
    mechanical: tested as never,
    ...(tests.length > 0 && { tests }),
    ...others,
  })
}
