import type { ImpactTest } from '../../src/domain/certificates/materialTests.ts'
import { impactTest, tensileTest } from '../domain/verdict/facts.ts'
import { stepOf } from './analyses.ts'
import { charpy, elements, type Part, strengths } from './fineGrainLimits.ts'
import { clean, subjectOf, type Written } from './fineGrainSubject.ts'

/** Both sides of the limits of fine-grain steels. */

type Case = readonly [
  title: string,
  pack: string,
  subject: ReturnType<typeof subjectOf>,
  severity: string | undefined,
]

function analysisCases(part: Part, strength: string): Case[] {
  const row = part.analysis[strengths.indexOf(strength)]!
  return row.flatMap((cell, column): Case[] => {
    if (cell === '–') return []
    const [element, tough] = [elements[column]!, column === 1]
    const of = (value: number, severity: string | undefined, analysis: 'ladle' | null = 'ladle'): Case => [
      `${element} ${value} of the ${analysis ?? 'unknown'} analysis`,
      part.pack,
      subjectOf(part, strength, tough, { analysis, chemistry: { ...clean, Mn: 1, [element]: value } }),
      severity,
    ]
    const limit = Number(cell)
    const beyond = Number((limit + stepOf(element)).toFixed(4))
    const isFar = element !== 'C' && element !== 'Mn'
    // So much carbon or manganese may raise the CEV beyond its limit, so only an unknown analysis tells them apart.
    return [of(limit, undefined), of(beyond, 'Block'), ...(isFar ? [of(beyond, 'Flag', null)] : [])]
  })
}

function purityCases(part: Part, strength: string): Case[] {
  return [false, true].flatMap((tough) =>
    (['P', 'S'] as const).flatMap((element, index) => {
      const limit = part.purity[tough ? 1 : 0]![index]!
      return (
        [
          [limit, undefined],
          [Number((limit + 0.001).toFixed(3)), 'Block'],
        ] as const
      ).map(
        ([value, severity]): Case => [
          `${element} ${value}`,
          part.pack,
          subjectOf(part, strength, tough, { chemistry: { ...clean, [element]: value } }),
          severity,
        ],
      )
    }),
  )
}

function mechanicalCases(part: Part, strength: string): Case[] {
  const row = strengths.indexOf(strength)
  return part.bands.flatMap((thicknessMm, band): Case[] => {
    const minimum = Number(part.reH[row]![band])
    if (Number.isNaN(minimum)) return []
    const [least, most] = part.rm[row]![band]!.split('–').map(Number) as [number, number]
    const cev = Number(part.cev[row]![band])
    const of = (title: string, severity: string | undefined, written: Written): Case => [
      `${title} at ${thicknessMm} mm`,
      part.pack,
      subjectOf(part, strength, false, { thicknessMm, ...written }),
      severity,
    ]
    const stated = (value: number): Written => ({ chemistry: { ...clean, Mo: undefined! }, statedCev: value })
    return [
      of(`ReH ${minimum}`, undefined, { mechanical: { reHMpa: minimum } }),
      of(`ReH ${minimum - 1}`, 'Block', { mechanical: { reHMpa: minimum - 1 } }),
      of(`Rm ${least}`, undefined, { mechanical: { rmMpa: least } }),
      of(`Rm ${least - 1}`, 'Block', { mechanical: { rmMpa: least - 1 } }),
      of(`Rm ${most}`, undefined, { mechanical: { rmMpa: most } }),
      of(`Rm ${most + 1}`, 'Block', { mechanical: { rmMpa: most + 1 } }),
      of(`CEV ${cev}`, undefined, stated(cev)),
      of(`CEV ${cev + 0.01}`, 'Block', stated(Number((cev + 0.01).toFixed(2)))),
    ]
  })
}

function charpyCases(part: Part, tough: boolean): Case[] {
  return charpy[tough ? 'tough' : 'plain'].flatMap(([temperature, lengthwise, across]): Case[] => {
    const temperatureC = Number(temperature)
    const isCold = temperatureC <= (tough ? -50 : -20)
    const of = (joule: number, direction: ImpactTest['direction'], severity: string | undefined): Case => [
      `${joule} J ${direction} at ${temperature} °C`,
      part.pack,
      subjectOf(part, 'S355', tough, {
        mechanical: { kvJoule: null, kvTemperatureC: null },
        tests: [
          { ...impactTest, temperatureC, direction, valuesJoule: [joule, joule, joule], averageJoule: joule },
        ],
      }),
      severity ?? (isCold ? undefined : 'Flag'),
    ]
    return [
      of(Number(lengthwise), 'longitudinal', undefined),
      of(Number(lengthwise) - 1, 'longitudinal', 'Block'),
      of(Number(across), 'transverse', undefined),
      of(Number(across) - 1, 'transverse', 'Block'),
      of(Number(lengthwise), null, undefined),
      of(Number(lengthwise) - 1, null, 'Flag'),
      of(Number(across) - 1, null, 'Block'),
    ]
  })
}

function otherCases(part: Part): Case[] {
  const of = (title: string, severity: string | undefined, written: Written, tough = false): Case => [
    title,
    part.pack,
    subjectOf(part, 'S355', tough, written),
    severity,
  ]
  const none = { reHMpa: null, rmMpa: null, a5Percent: null }
  const tensile = { ...tensileTest, reHMpa: 400, rmMpa: 550, elongationPercent: 25, direction: null }
  const withTest = (values: object): Written => ({ mechanical: none, tests: [{ ...tensile, ...values }] })
  const impact = (values: Partial<ImpactTest>): Written => ({
    mechanical: { kvJoule: null, kvTemperatureC: null },
    tests: [{ ...impactTest, temperatureC: -20, direction: 'longitudinal', ...values }],
  })
  const impacts = (...sets: readonly number[][]): Written => ({
    mechanical: { kvJoule: null, kvTemperatureC: null },
    tests: sets.map((valuesJoule) => ({
      ...impactTest,
      temperatureC: -20,
      valuesJoule,
      averageJoule: null,
    })),
  })
  const { summaryA } = { summaryA: part.elongation[1]! }
  return [
    of('sound', undefined, {}),
    ...(part.standard === 'EN 10025-4' ? [of('S500M, without figures', 'Flag', { grade: 'S500M' })] : []),
    of(`A ${summaryA}`, part.standard === 'EN 10210-1' ? 'Flag' : undefined, {
      mechanical: { a5Percent: summaryA },
    }),
    of(`A ${summaryA - 1}`, 'Block', { mechanical: { a5Percent: summaryA - 1 } }),
    of('a sound test', undefined, withTest({})),
    of('a test with a low ReH', 'Block', withTest({ reHMpa: 354 })),
    of('a test with a low Rp0.2', 'Block', withTest({ reHMpa: null, rp02Mpa: 354 })),
    of('a test with a low ReL', 'Flag', withTest({ reHMpa: null, reLMpa: 354 })),
    of('a summary below its tests', 'Block', { mechanical: { reHMpa: 350 }, tests: [tensile] }),
    of('a test with a low Rm', 'Block', withTest({ rmMpa: 440 })),
    of('a test with a low A', 'Block', withTest({ elongationPercent: 12 })),
    of('a second set that makes the six conform', 'Flag', impacts([20, 30, 40], [60, 60, 60])),
    of('a second set, and three of six too low', 'Block', impacts([20, 30, 40], [60, 60, 39])),
    of('a second set, and two of six far too low', 'Block', impacts([20, 25, 40], [60, 60, 60])),
    of('a second set at another temperature', 'Block', {
      mechanical: { kvJoule: null, kvTemperatureC: null },
      tests: [
        { ...impactTest, temperatureC: -20, valuesJoule: [20, 30, 40], averageJoule: null },
        { ...impactTest, temperatureC: -30, valuesJoule: [60, 60, 60], averageJoule: null },
      ],
    }),
    of(
      'a test that is across or not',
      part.standard === 'EN 10210-1' ? 'Flag' : undefined,
      withTest({ elongationPercent: part.standard === 'EN 10210-1' ? 21 : 22 }),
    ),
    of('too little aluminium', 'Flag', { chemistry: { ...clean, Al: 0.01 } }),
    of('too little aluminium beside niobium', undefined, { chemistry: { ...clean, Al: 0.01, Nb: 0.03 } }),
    of('Nb 0.05', undefined, { chemistry: { ...clean, Nb: 0.05 } }),
    of('Nb 0.06', 'Block', { chemistry: { ...clean, Nb: 0.06 } }),
    of('Nb 0.06 of an unknown analysis', 'Flag', { analysis: null, chemistry: { ...clean, Nb: 0.06 } }),
    of('Ti 0.08', 'Block', { chemistry: { ...clean, Ti: 0.08 } }),
    of('Ti 0.06 of an unknown analysis', part.standard === 'EN 10210-1' ? 'Block' : 'Flag', {
      analysis: null,
      chemistry: { ...clean, Ti: 0.06 },
    }),
    of('Ti 0.04 of an unknown analysis', part.standard === 'EN 10210-1' ? 'Flag' : undefined, {
      analysis: null,
      chemistry: { ...clean, Ti: 0.04 },
    }),
    ...(part.standard === 'EN 10219-1'
      ? []
      : [
          of('Cr 0.31 of an unknown analysis', 'Flag', { analysis: null, chemistry: { ...clean, Cr: 0.31 } }),
          of('Cr 0.31', 'Block', { chemistry: { ...clean, Cr: 0.31 } }),
        ]),
    of('molybdenum of an unknown analysis', 'Flag', {
      analysis: null,
      chemistry: { ...clean, Mo: part.standard === 'EN 10219-1' ? 0.21 : 0.11 },
    }),
    of('Mo 0.3', 'Block', { chemistry: { ...clean, Mo: 0.3 } }),
    of('a carbon of an unknown analysis', 'Flag', {
      analysis: null,
      chemistry: { ...clean, Mn: 1, C: Number(part.analysis[1]![0]) + 0.01 },
    }),
    of('a manganese of an unknown analysis', 'Flag', {
      analysis: null,
      chemistry: { ...clean, C: 0.01, Mn: Number(part.analysis[1]![3]) + 0.01 },
    }),
    of('a phosphorus of an unknown analysis', 'Flag', {
      analysis: null,
      chemistry: { ...clean, P: part.purity[0]![0] + 0.001 },
    }),
    of('a sulphur of an unknown analysis', 'Flag', {
      analysis: null,
      chemistry: { ...clean, S: part.purity[0]![1] + 0.001 },
    }),
    of('a stated CEV that differs', 'Flag', { statedCev: 0.2 }),
    of('a CEV of the product analysis', 'Flag', {
      analysis: 'product',
      chemistry: { ...clean, Mn: 1.5, C: 0.12, Cr: 0.29, Ni: 0.2 },
    }),
    of('49 J at −20 °C', undefined, { mechanical: { kvJoule: 49 } }),
    of('39 J at −20 °C in the summary', 'Flag', { mechanical: { kvJoule: 39 } }),
    of('19 J at −20 °C in the summary', 'Block', { mechanical: { kvJoule: 19 } }),
    of('26 J at −50 °C in the summary', 'Flag', { mechanical: { kvJoule: 26 } }, true),
    of('15 J at −50 °C in the summary', 'Block', { mechanical: { kvJoule: 15 } }, true),
    of('a tough steel that was tested at −20 °C', 'Flag', { mechanical: { kvTemperatureC: -20 } }, true),
    of(
      'a test at a temperature that no table has',
      undefined,
      impact({ temperatureC: -25, valuesJoule: [40, 40, 40], averageJoule: 40 }),
    ),
    of(
      'a reduced test piece with its share',
      undefined,
      impact({ specimenWidthMm: 5, valuesJoule: [20, 20, 20], averageJoule: 20 }),
    ),
    of(
      'a reduced test piece below its share',
      'Block',
      impact({ specimenWidthMm: 5, valuesJoule: [19, 19, 19], averageJoule: 19 }),
    ),
    of(
      'one single value below the minimum',
      undefined,
      impact({ valuesJoule: [39, 60, 60], averageJoule: 53 }),
    ),
    of(
      'two single values below the minimum',
      'Flag',
      impact({ valuesJoule: [39, 39, 60], averageJoule: 46 }),
    ),
    of('a single value below 70 %', 'Flag', impact({ valuesJoule: [27, 60, 60], averageJoule: 49 })),
    of('no Charpy test', 'Flag', { mechanical: { kvJoule: null, kvTemperatureC: null } }),
    of('no Charpy test below 6 mm', undefined, {
      thicknessMm: 5,
      mechanical: { kvJoule: null, kvTemperatureC: null },
    }),
    of('a thickness above the tables', 'Flag', { thicknessMm: 300, mechanical: { rmMpa: 500 } }),
  ]
}

function manganeseCases(part: Part): Case[] {
  const written = { chemistry: { ...clean, Mn: 0.89 } }
  return part.name('S355', false).includes('N')
    ? [['Mn 0.89', part.pack, subjectOf(part, 'S355', false, written), 'Flag']]
    : [['Mn 0.89', part.pack, subjectOf(part, 'S355', false, written), undefined]]
}

/** Return the cases of a part: title, pack, subject and the severity that it must have. */
export function casesOf(part: Part): readonly Case[] {
  return [
    ...strengths.flatMap((strength) =>
      [analysisCases, purityCases, mechanicalCases].flatMap((cases) =>
        cases(part, strength).map(([title, ...rest]) => [`${strength}: ${title}`, ...rest] as Case),
      ),
    ),
    ...[false, true].flatMap((tough) => charpyCases(part, tough)),
    ...otherCases(part),
    ...manganeseCases(part),
  ]
}
