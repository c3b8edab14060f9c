import { isText, type TextName, useTexts } from '../../texts/texts.ts'

/** The fields of an import in words. */

/** Fields that screens show under another name than their own. */
const fieldTexts: Readonly<Record<string, TextName>> = {
  certificateNumber: 'certificate',
  heatNumber: 'heat',
  inspectionDocument: 'document',
  thicknessMm: 'thickness',
  widthMm: 'width',
  steelmakingProcess: 'process',
  reHMpa: 'reH',
  rp02Mpa: 'rp02',
  rmMpa: 'rm',
  reLMpa: 'reL',
  rawYieldMpa: 'rawYield',
  rawYieldKind: 'rawYieldKind',
  rmReRatio: 'rmRe',
  kind: 'testKind',
  a5Percent: 'a5',
  kvJoule: 'kv',
  kvTemperatureC: 'kvTemperature',
  impactTemperatureC: 'impactTemperature',
  agtPercent: 'agt',
  massPerMetreKg: 'massPerMetre',
  nominalDiameterMm: 'nominalDiameter',
  elongationPercent: 'a5',
  reductionOfAreaPercent: 'reductionOfArea',
  valuesJoule: 'kv',
  averageJoule: 'kv',
  temperatureC: 'kvTemperature',
  specimenWidthMm: 'specimenWidth',
  orderNumber: 'order',
  requiredInspectionDocument: 'requiredDocument',
  lineNumber: 'lineTitle',
  lengthMm: 'length',
  stockLengthMm: 'stockLength',
  name: 'plan',
  items: 'item',
  massKg: 'mass',
  cutterIdleMinutes: 'cutterIdle',
  defaultInspectionDocument: 'defaultDocument',
}

/** Parts of a record, of which there may be several. */
const partTexts: Readonly<Record<string, TextName>> = {
  lineItems: 'lineTitle',
  bars: 'bar',
  cuts: 'cut',
  tests: 'test',
}

/**
 * Return a function that names a field by its path. `bars.0.cuts.1.lengthMm` is "Bar 1 · Cut 2 · Length"; a field
 * without a name in words keeps its own.
 */
export function useFieldName(): (path: string) => string {
  const { t, number } = useTexts()
  return (path) => {
    const steps = path.split('.')
    const parts = steps.flatMap((step, index) => {
      const text = partTexts[step]
      const place = Number(steps[index + 1])
      return text && Number.isInteger(place) ? [`${t(text)} ${number(place + 1)}`] : []
    })
    const last = steps.at(-1)!
    const text = fieldTexts[last] ?? last
    return [...parts, isText(text) ? t(text) : last].join(' · ')
  }
}
