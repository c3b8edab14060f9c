import { elementSymbols, usualElements } from '../../domain/certificates/elements.ts'
import { type Analysed, readAnalysis } from '../certificates/analysis.ts'
import { gaugeLengthsIn, isElongationSign, yieldKindsIn } from '../certificates/words.ts'
import { createDraft, type ReadRow } from '../readRow.ts'
import {
  numbersInCell,
  type ReadCell,
  readDate,
  readDelivery,
  readDocumentType,
  readJson,
  readMembers,
  readNumber,
  readOneOf,
  readQuantity,
  readText,
} from './cellValues.ts'
import { type ColumnField, recogniser } from './fields.ts'
import type { Heading } from './headingNames.ts'
import { dataRows, type ReadColumn } from './headings.ts'
import { cellText, type Table } from './table.ts'

/** Mill certificates in a table: one on each row. */

const productForms = readOneOf({
  HollowSection:
    /^(?:hollow section|hohlprofil|(?:rectangular|square) tube|quadratrohr|rechteckrohr|RHS|SHS|CHS|MSH)/i,
  Plate: /^(?:plate|sheet|(?:grob)?blech)/i,
  Coil: /^(?:coil|strip|(?:warm)?band)/i,
  Section: /^(?:section|beam|profil|tr(?:ä|ae)ger|formstahl|angle|winkel)/i,
  Bar: /^(?:bar|(?:rund|flach|vierkant|stab)(?:stahl|eisen)?|round|flat)/i,
  Tube: /^(?:tube|pipe|rohr)/i,
  Other: /^(?:other|sonstige)/i,
})

const analyses = readOneOf({
  ladle: /schmelz|ladle|heat/i,
  product: /st(?:ü|ue)ck|product/i,
})

function column(field: string, read: ReadCell, ...names: readonly string[]): ColumnField {
  return { field, names, read }
}

function length(field: string, ...names: readonly string[]): ColumnField {
  return { field, names, read: readQuantity(), isLength: true }
}

/** The columns of the template, in its order, before those of the elements. */
export const certificateColumns: readonly ColumnField[] = [
  column(
    'certificateNumber',
    readText,
    'certificate',
    'certificateno',
    'certificatenr',
    'certno',
    'certificateid',
    'mtcno',
    'mtcnumber',
    'zeugnis',
    'zeugnisnummer',
    'zeugnisnr',
    'zertifikat',
    'zertifikatsnummer',
    'zertifikatnr',
    'pruefzeugnisnr',
    'bescheinigungsnr',
    'bescheinigungsnummer',
  ),
  column(
    'heatNumber',
    readText,
    'heat',
    'heatno',
    'heatnr',
    'heatid',
    'melt',
    'meltno',
    'cast',
    'castno',
    'castnumber',
    'schmelze',
    'schmelzenummer',
    'schmelzennummer',
    'schmelznummer',
    'schmelzenr',
    'schmelzennr',
    'schmelznr',
    'charge',
    'chargennummer',
    'chargennr',
    'chargenr',
  ),
  column('item', readText, 'position', 'pos', 'posnr'),
  column(
    'standard',
    readText,
    'norm',
    'materialstandard',
    'werkstoffnorm',
    'produktnorm',
    'productnorm',
    'materialnorm',
    'liefernorm',
  ),
  column(
    'grade',
    readText,
    'steelgrade',
    'material',
    'quality',
    'steel',
    'werkstoff',
    'steeldesignation',
    'stahlbezeichnung',
    'stahlsorte',
    'stahlguete',
    'guete',
    'qualitaet',
    'werkstoffbezeichnung',
    'sorte',
  ),
  column('profile', readText, 'profil', 'querschnitt', 'section'),
  column('deliveryCondition', readDelivery, 'condition', 'lieferzustand'),
  column('zQuality', readOneOf({ Z15: /^15$/, Z25: /^25$/, Z35: /^35$/ }), 'zguete', 'zqualitaet', 'zklasse'),
  column(
    'inspectionDocument',
    readDocumentType,
    'documenttype',
    'certificatetype',
    'inspectioncertificate',
    'en10204',
    'dinen10204',
    'abnahmepruefzeugnis',
    'pruefbescheinigung',
    'bescheinigungsart',
    'zeugnisart',
    'zeugnistyp',
    'apz',
  ),
  column(
    'manufacturer',
    readText,
    'mill',
    'producer',
    'maker',
    'hersteller',
    'herstellerwerk',
    'lieferwerk',
    'walzwerk',
    'stahlwerk',
    'werk',
  ),
  column('productForm', productForms, 'product', 'form', 'erzeugnisform', 'erzeugnis', 'produktform'),
  length(
    'thicknessMm',
    'thickness',
    'dicke',
    'staerke',
    'blechdicke',
    'wanddicke',
    'wandstaerke',
    'wallthickness',
  ),
  length('widthMm', 'width', 'breite'),
  column('purchaseOrder', readText, 'po', 'pono', 'ponumber', 'bestellnummer', 'bestellnr', 'bestellung'),
  column('declarationOfPerformance', readText, 'dop', 'dopno', 'leistungserklaerung'),
  column('steelmakingProcess', readText, 'process', 'erschmelzungsart', 'erschmelzung'),
  column('analysis', analyses, 'analysistype', 'analyse', 'analyseart'),
  column('statedCev', readNumber(), 'cev', 'kohlenstoffaequivalent'),
  column('solubleAluminium', readNumber(), 'alsol', 'solal', 'allsl'),
  column('mechanical.reHMpa', readQuantity()),
  column('mechanical.rmMpa', readQuantity(), 'rm', 'tensilestrength', 'zugfestigkeit', 'zugfestigkeitrm'),
  column('mechanical.a5Percent', readNumber(), 'bruchdehnunga5', 'a5'),
  column(
    'mechanical.kvJoule',
    readNumber(),
    'kv',
    'kv2',
    'impact',
    'charpy',
    'kerbschlagarbeit',
    'kerbschlagarbeitkv',
  ),
  column(
    'mechanical.kvTemperatureC',
    readNumber(),
    'kvtemperature',
    'testtemperature',
    'prueftemperatur',
    'kvtemp',
  ),
  column('inspector', readText, 'pruefer', 'abnahmebeauftragter', 'sachverstaendiger'),
  column(
    'issuedOn',
    readDate,
    'date',
    'issued',
    'issuedate',
    'dateofissue',
    'datum',
    'ausstellungsdatum',
    'zeugnisdatum',
  ),
  column('tests', readJson),
  column('chemistry', readMembers),
]

export const recogniseCertificateHeading = recogniser(certificateColumns, recogniseMore)

/** Read the rows of a table. @throws Unreadable */
export async function* readCertificateTable(table: Table): AsyncIterable<ReadRow> {
  let row = 0
  for await (const data of dataRows(table, recogniseCertificateHeading)) {
    const draft = createDraft()
    data.read(draft)
    row += 1
    yield draft.finish(row, { line: data.line, column: 1 })
  }
}

function recogniseMore(heading: Heading): ReadColumn | undefined {
  return recogniseStrength(heading) ?? recogniseElongation(heading) ?? recogniseElement(heading)
}

/** The summary has a place for ReH. Any other yield strength belongs to a test. */
function recogniseStrength({ name }: Heading): ReadColumn | undefined {
  const kinds = yieldKindsIn(name)
  const isYield = kinds.length > 0 || /^(?:Re|Rp)$/i.test(name) || /streckgrenze|dehngrenze|yield/i.test(name)
  if (!isYield) return undefined
  if (kinds.length === 1 && kinds[0] === 'reHMpa')
    return (draft, cell, at) => readQuantity()(draft, 'mechanical.reHMpa', cell, at)
  return (draft, cell, at) => {
    const text = cellText(cell)
    if (text === undefined) return
    draft.propose('tests.0.kind', 'tensile', at)
    if (kinds.length === 1) {
      readQuantity()(draft, `tests.0.${kinds[0]}`, cell, at)
      return
    }
    readQuantity()(draft, 'tests.0.rawYieldMpa', cell, at)
    draft.propose('tests.0.rawYieldKind', name.slice(0, 50).toWellFormed(), at)
    const values = numbersInCell(cell)
    const possible = kinds.length > 0 ? kinds : (['reHMpa', 'reLMpa', 'rp02Mpa'] as const)
    for (const kind of possible) draft.leaveOpen(`tests.0.${kind}`, values, at, name)
  }
}

/** The summary has a place for A5. An elongation at another or an unknown gauge length belongs to a test. */
function recogniseElongation({ name, unit = '' }: Heading): ReadColumn | undefined {
  const lengths = gaugeLengthsIn(`${name} (${unit})`)
  if (lengths.length === 0 && !isElongationSign(name) && !/^(?:bruch)?dehnung|elongation/i.test(name))
    return undefined
  if (lengths.length === 1 && lengths[0] === '5.65')
    return (draft, cell, at) => readNumber()(draft, 'mechanical.a5Percent', cell, at)
  return (draft, cell, at) => {
    if (cellText(cell) === undefined) return
    draft.propose('tests.0.kind', 'tensile', at)
    readNumber()(draft, 'tests.0.elongationPercent', cell, at)
    if (lengths.length === 1) draft.propose('tests.0.gaugeLength', lengths[0], at)
    else draft.leaveOpen('tests.0.gaugeLength', lengths, at, name)
  }
}

/** A heading names an element only by its exact symbol. `No` means a number, not nobelium. */
function recogniseElement({ name, unit }: Heading): ReadColumn | undefined {
  const dotted = /^chemistry\.(\w+)$/i.exec(name)?.[1]
  if (dotted !== undefined && elementSymbols.includes(dotted))
    return (draft, cell, at) => readNumber()(draft, `chemistry.${dotted}`, cell, at)
  const isSymbol =
    /^C[Ee]$/.test(name) || usualElements.some((symbol) => symbol === name || symbol.toUpperCase() === name)
  if (!isSymbol) return undefined
  return (draft, cell, at) => {
    const text = cellText(cell)
    if (text === undefined) return
    const operator = /^[<>≤≥]=?/.exec(text)?.[0]
    const numbers = numbersInCell(operator === undefined ? cell : text.slice(operator.length))
    const analysed: Analysed = { symbol: name, numbers, text, unit, operator, formula: undefined, at }
    readAnalysis(draft, [analysed])
  }
}
