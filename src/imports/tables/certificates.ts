import { certificateFields, certificateNumbers } from '../../domain/certificates/certificateContent.ts'
import { elementSymbols, usualElements } from '../../domain/certificates/elements.ts'
import { spellingOf } from '../../domain/kernel/spellings.ts'
import { type Analysed, readAnalysis } from '../certificates/analysis.ts'
import { withWholeSharesOpen } from '../certificates/checks.ts'
import { joinRows } from '../certificates/testRows.ts'
import { gaugeLengthsIn, isElongationSign, yieldKindsIn } from '../certificates/words.ts'
import { createDraft, type ReadRow } from '../readRow.ts'
import { isUnit, numberAndUnit } from '../units.ts'
import {
  celsius,
  kilogramsPerMetre,
  type Measure,
  measureIn,
  megapascals,
  numbersInCell,
  percent,
  readDelivery,
  readDocumentType,
  readMeasure,
} from './cellValues.ts'
import { columnsOf, createRecogniser } from './fields.ts'
import type { ReadColumn } from './findHeadings.ts'
import type { Heading } from './headingNames.ts'
import type { DataRow } from './headings.ts'
import { cellText } from './table.ts'

/** Mill certificates in a table: one on each row, or one on several rows with a test on each. */

const bendWords = {
  passed: /^(?:pass|ok\b|good|satisfactory|bestanden|i\. ?o)/i,
  failed: /^(?:fail|not ok|nok\b|unsatisfactory|cracked|nicht|n\. ?i)/i,
}

export const zQualityWords = {
  headings: 'zguete zqualitaet zklasse',
  values: { Z15: /^15$/, Z25: /^25$/, Z35: /^35$/ },
}
export const ultrasonicWords = { headings: 'ut utclass en10160 ultraschallklasse' }
export const surfaceWords = { headings: 'surface en10163 oberflaechenklasse' }

/** The columns of the template, in its order, before those of the elements. */
export const certificateColumns = columnsOf(
  { ...certificateNumbers, ...certificateFields },
  {
    certificateNumber: {
      headings:
        'certificate certificateno certificatenr certno certificateid mtcno mtcnumber zeugnis zeugnisnummer zeugnisnr zertifikat zertifikatsnummer zertifikatnr pruefzeugnisnr bescheinigungsnr bescheinigungsnummer certificaten certificaton ncertificato nocertificato ncertificat nocertificat ndecertificat nodecertificat numerodecertificat ncertificado nocertificado numerodecertificado sertifikano mtrno reportno',
    },
    heatNumber: {
      headings:
        'heat heatno heatnr heatid melt meltno cast castno castnumber schmelze schmelzenummer schmelzennummer schmelznummer schmelzenr schmelzennr schmelznr charge chargennummer chargennr chargenr coulee couleeno ncoulee nocoulee ndecoulee nodecoulee numerodecoulee colata colatan colatano ncolata nocolata colada ncolada nocolada ndecolada nodecolada doekuem doekuemno doekuemnumarasi dokum dokumno dokumnumarasi',
    },
    item: { headings: 'position pos posnr' },
    documentRevision: { headings: 'rev revno aenderungsstand' },
    standard: {
      headings:
        'norm materialstandard werkstoffnorm produktnorm productnorm materialnorm liefernorm norme norma standart',
    },
    grade: {
      headings:
        'steelgrade material quality steel werkstoff steeldesignation stahlbezeichnung stahlsorte stahlguete guete qualitaet werkstoffbezeichnung sorte gute nuance acier qualita qualitaacciaio calidad acero kalite celikkalitesi',
    },
    profile: { headings: 'profil querschnitt section' },
    deliveryCondition: { headings: 'condition lieferzustand', read: readDelivery },
    zQuality: zQualityWords,
    ultrasonicClass: ultrasonicWords,
    surfaceClass: surfaceWords,
    inspectionDocument: {
      headings:
        'documenttype certificatetype inspectioncertificate en10204 dinen10204 abnahmepruefzeugnis pruefbescheinigung bescheinigungsart zeugnisart zeugnistyp apz',
      read: readDocumentType,
    },
    manufacturer: {
      headings: 'mill producer maker hersteller herstellerwerk lieferwerk walzwerk stahlwerk werk',
    },
    productForm: {
      headings: 'product form erzeugnisform erzeugnis produktform',
      values: {
        HollowSection:
          /^(?:hollow section|hohlprofil|(?:rectangular|square) tube|quadratrohr|rechteckrohr|RHS|SHS|CHS|MSH)/i,
        Plate: /^(?:plate|sheet|(?:grob)?blech)/i,
        Coil: /^(?:coil|strip|(?:warm)?band)/i,
        Section: /^(?:section|beam|profil|tr(?:ä|ae)ger|formstahl|angle|winkel)/i,
        Bar: /^(?:bar|(?:rund|flach|vierkant|stab)(?:stahl|eisen)?|round|flat)/i,
        Tube: /^(?:tube|pipe|rohr)/i,
        Other: /^(?:other|sonstige)/i,
      },
    },
    thicknessMm: { headings: 'thickness dicke staerke blechdicke wanddicke wandstaerke wallthickness' },
    widthMm: { headings: 'width breite' },
    nominalDiameterMm: {
      headings: 'nominaldiameter diameter dia nenndurchmesser durchmesser stabdurchmesser',
    },
    purchaseOrder: {
      headings:
        'po pono ponumber bestellnummer bestellnr bestellung commande ncommande ndecommande nodecommande ordine ordinen nordine pedido npedido nopedido siparisno',
    },
    declarationOfPerformance: { headings: 'dop dopno leistungserklaerung' },
    steelmakingProcess: { headings: 'process erschmelzungsart erschmelzung' },
    analysis: {
      headings: 'analysistype analyse analyseart',
      values: { ladle: /schmelz|ladle|heat/i, product: /st(?:ü|ue)ck|product/i },
    },
    statedCev: { headings: 'cev kohlenstoffaequivalent' },
    solubleAluminium: { headings: 'alsol solal allsl' },
    'mechanical.rmMpa': {
      headings:
        'rm uts ts tensile tensilestrength ultimatetensilestrength zugfestigkeit zugfestigkeitrm resistance resistancealatraction resistenza resistenzaatrazione resistenzaallatrazione rottura caricodirottura caricounitariodirottura resistencia resistenciaalatraccion cekme cekmedayanm cekmedayanimi cekmemukavemeti',
    },
    'mechanical.a5Percent': { headings: 'bruchdehnunga5 a5' },
    'mechanical.kvJoule': {
      headings:
        'kv kv2 cvn impact impactenergy charpy charpyv kerbschlagarbeit kerbschlagarbeitkv resilience resiliencekv resilienza resilienzakv resiliencia resilienciakv centikdarbe',
    },
    'mechanical.kvTemperatureC': {
      headings: 'kvtemperature testtemperature testtemp prueftemperatur kvtemp',
    },
    'mechanical.rmReRatio': { headings: 'rmre rmreh tensileyieldratio streckgrenzenverhaeltnis' },
    'mechanical.agtPercent': { headings: 'agt' },
    'mechanical.massPerMetreKg': {
      headings: 'masspermetre masspermeter massperunitlength weightpermetre metermasse metergewicht',
    },
    bend: { headings: 'bendtest biegeversuch', values: bendWords },
    rebend: { headings: 'rebendtest bendrebend rueckbiegeversuch', values: bendWords },
    inspector: { headings: 'pruefer abnahmebeauftragter sachverstaendiger' },
    issuedOn: {
      headings: 'date issued issuedate dateofissue datum ausstellungsdatum zeugnisdatum data fecha tarih',
    },
  },
)

export const recogniseCertificateHeading = createRecogniser(certificateColumns, recogniseMore)

/**
 * Read the certificates of a table. Rows of the same certificate, heat and item are one certificate, and so are rows
 * below it that name neither, as merged cells leave them. None is yielded before the last row. @throws Failure
 * `unreadable`
 */
export async function* readCertificateTable(table: AsyncIterable<DataRow>): AsyncIterable<ReadRow> {
  const certificates = new Map<string, ReadRow[]>()
  let key = ''
  for await (const data of table) {
    const draft = createDraft()
    data.read(draft)
    const row = draft.finish(1, { line: data.line, column: 1 })
    const [own, maker] = [keyOf(row), makerOf(row)]
    const goesOn = own === undefined ? key !== '' : maker === undefined && key.startsWith(own)
    if (!goesOn) key = own ?? `line ${data.line}`
    // Two mills may number alike, so another mill means another certificate.
    const others = certificates.get(key)?.map(makerOf) ?? []
    if (maker && others.some((other) => other && other !== maker)) key += ` of ${maker}`
    const rows = certificates.get(key)
    if (rows) rows.push(row)
    else certificates.set(key, [row])
  }
  let row = 0
  for (const rows of certificates.values()) {
    const draft = createDraft()
    joinRows(rows, draft)
    row += 1
    yield withWholeSharesOpen(draft.finish(row, rows[0]!.at))
  }
}

/** Return what tells a certificate from others; undefined for a row that names neither its number nor its heat. */
function keyOf({ values, at }: ReadRow): string | undefined {
  const byField = new Map(values.map(({ field, value }) => [field, value]))
  const numbers = ['certificateNumber', 'heatNumber'].map((field) => byField.get(field))
  if (numbers.every((number) => number === undefined)) return undefined
  // A row that lacks one of them is a certificate of its own, and is refused.
  if (numbers.some((number) => number === undefined)) return JSON.stringify(at)
  return JSON.stringify([...numbers, byField.get('item') ?? null].map((number) => spellingOf(String(number))))
}

function makerOf({ values }: ReadRow): string | undefined {
  const maker = values.find(({ field }) => field === 'manufacturer')?.value
  return typeof maker === 'string' ? spellingOf(maker) : undefined
}

function recogniseMore(heading: Heading): ReadColumn | undefined {
  return (
    recogniseTemperature(heading) ??
    recogniseStrength(heading) ??
    recogniseMass(heading) ??
    recogniseElongation(heading) ??
    recogniseElement(heading)
  )
}

/** `T` is a temperature only with its unit: it may be a thickness. */
function recogniseTemperature({ name, unit }: Heading): ReadColumn | undefined {
  if (name !== 'T' || unit === undefined || !/^[°º℃℉]/.test(unit)) return undefined
  return readInto('mechanical.kvTemperatureC', celsius, unit)
}

function readInto(field: string, measure: Measure, unit: string | undefined): ReadColumn {
  const read = readMeasure(measure, unit)
  return (draft, cell, at) => read(draft, field, cell, at)
}

/** In English, German, French, Italian, Spanish and Turkish. */
const yieldWords =
  /streckgrenze|dehngrenze|yield|limite.{0,4}[ée]lasti|snervamento|l[ií]mite el[aá]stico|akma (?:dayan|s[ıi]n|muk)/i
const elongationWords = /^(?:(?:bruch)?dehnung|allong|allung|alarga|uzama)|elong/i

/** The summary has a place for ReH. Any other yield strength belongs to a test. */
function recogniseStrength({ name, unit }: Heading): ReadColumn | undefined {
  const kinds = yieldKindsIn(name)
  const isYield = kinds.length > 0 || /^(?:Re|Rp|YS|YP)$/i.test(name) || yieldWords.test(name)
  if (!isYield) return undefined
  if (kinds.length === 1 && kinds[0] === 'reHMpa') return readInto('mechanical.reHMpa', megapascals, unit)
  return (draft, cell, at) => {
    const measured = measureIn(cell, megapascals, unit)
    if (!measured) return
    draft.propose('tests.0.kind', 'tensile', at)
    const read = readMeasure(megapascals, unit)
    if (kinds.length === 1) {
      read(draft, `tests.0.${kinds[0]}`, cell, at)
      return
    }
    read(draft, 'tests.0.rawYieldMpa', cell, at)
    draft.propose('tests.0.rawYieldKind', name.slice(0, 50).toWellFormed(), at)
    const possible = kinds.length > 0 ? kinds : (['reHMpa', 'reLMpa', 'rp02Mpa'] as const)
    for (const kind of possible)
      draft.leaveOpen(`tests.0.${kind}`, measured.values, at, measured.conversion ?? name)
  }
}

/** A mass is that of a metre only by its unit: it may be that of the delivery. */
function recogniseMass({ name, unit }: Heading): ReadColumn | undefined {
  if (
    unit === undefined ||
    !isUnit(unit, 'kg/m') ||
    !/^(?:mass|masse|weight|gewicht)?(?: ?(?:per|je|pro))?$/i.test(name)
  )
    return undefined
  return readInto('mechanical.massPerMetreKg', kilogramsPerMetre, unit)
}

/** The summary has a place for A5. An elongation at another or an unknown gauge length belongs to a test. */
function recogniseElongation({ name, unit }: Heading): ReadColumn | undefined {
  const isShare = unit === undefined || isUnit(unit, '%')
  const lengths = gaugeLengthsIn(isShare ? name : `${name} (${unit})`)
  if (lengths.length === 0 && !isElongationSign(name) && !elongationWords.test(name)) return undefined
  const ofColumn = isShare ? unit : undefined
  if (/max|höchst|hoechst/i.test(name)) return readInto('mechanical.agtPercent', percent, ofColumn)
  if (lengths.length === 1 && lengths[0] === '5.65')
    return readInto('mechanical.a5Percent', percent, ofColumn)
  const read = readMeasure(percent, ofColumn)
  return (draft, cell, at) => {
    if (cellText(cell) === undefined) return
    draft.propose('tests.0.kind', 'tensile', at)
    read(draft, 'tests.0.elongationPercent', cell, at)
    if (lengths.length === 1) draft.propose('tests.0.gaugeLength', lengths[0], at)
    else draft.leaveOpen('tests.0.gaugeLength', lengths, at, name)
  }
}

/** A heading names an element only by its exact symbol. `No` means a number, not nobelium. `Cb` is niobium. */
function recogniseElement({ name, unit }: Heading): ReadColumn | undefined {
  const dotted = /^chemistry\.(\w+)$/i.exec(name)?.[1]
  if (dotted !== undefined && elementSymbols.includes(dotted))
    return readInto(`chemistry.${dotted}`, percent, unit)
  const isSymbol =
    /^(?:C[Ee](?:[Qq]\.?(?: value| wert)?)?|C[Bb])$/.test(name) ||
    usualElements.some((symbol) => symbol === name || symbol.toUpperCase() === name)
  if (!isSymbol) return undefined
  return (draft, cell, at) => {
    const text = cellText(cell)
    if (text === undefined) return
    const operator = /^[<>≤≥]=?/.exec(text)?.[0]
    const { number, unit: ofCell } = numberAndUnit(text.slice(operator?.length ?? 0))
    const numbers = numbersInCell(operator === undefined && ofCell === undefined ? cell : number)
    const analysed: Analysed = {
      symbol: name.split(' ')[0]!,
      numbers,
      text,
      unit: ofCell ?? unit,
      operator,
      formula: undefined,
      at,
    }
    readAnalysis(draft, [analysed])
  }
}
