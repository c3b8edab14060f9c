import type { ProductForm } from '../certificates/certificateContent.ts'
import { gapTexts } from './gapTexts.ts'

/** The texts of findings in every language, with the names of their values in braces. */

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]
type Text = Readonly<Record<Language, string>>

/** The text of each finding. Advice comes last. */
const findings = {
  'no-certificate': {
    en: 'The bar has no mill certificate. Set one before it is cut.',
    de: 'Der Stab hat kein Zeugnis. Setzen Sie eines, bevor er geschnitten wird.',
  },
  'heat-unread': {
    en: 'Nobody has read the heat number off the steel of the bar. Read it before the bar is started.',
    de: 'Niemand hat die Schmelze vom Stahl des Stabs abgelesen. Lesen Sie sie ab, bevor der Stab begonnen wird.',
  },
  'heat-unread-on-remnant': {
    en: 'The bar is a remnant, and nobody has said that its mark of heat {heat} was transferred. Read the heat number off its steel.',
    de: 'Der Stab ist ein Reststück, und niemand hat gesagt, dass die Schmelze {heat} darauf übertragen wurde. Lesen Sie die Schmelze vom Stahl ab.',
  },
  'heat-differs': {
    en: 'Heat {actual} was read off the steel, and the certificate is for heat {expected}. Read the heat again, or set its certificate.',
    de: 'Vom Stahl wurde die Schmelze {actual} abgelesen, und das Zeugnis gilt für die Schmelze {expected}. Lesen Sie noch einmal ab, oder setzen Sie das passende Zeugnis.',
  },
  'certificate-voided': {
    en: 'The certificate is voided, so it documents no steel. Set the one that replaces it.',
    de: 'Das Zeugnis ist ungültig und belegt keinen Stahl. Setzen Sie jenes, das es ersetzt.',
  },
  'certificate-rejected': {
    en: 'The certificate is rejected, so its steel may not be used. Use another heat.',
    de: 'Das Zeugnis ist zurückgewiesen, der Stahl darf nicht verwendet werden. Verwenden Sie eine andere Schmelze.',
  },
  'certificate-not-released': {
    en: 'The certificate is not released yet. Ask a quality engineer to release it.',
    de: 'Das Zeugnis ist noch nicht freigegeben. Bitten Sie die Qualitätsstelle um die Freigabe.',
  },
  'certificate-tag': {
    en: 'The certificate has the tag "{tag}". Read the explanation or the history of the tag. Correct the certificate if a value is wrong, or take the tag off if a person has put it on and it no longer applies.',
    de: 'Das Zeugnis hat den Tag „{tag}“. Lesen Sie seine Erklärung oder seinen Verlauf. Korrigieren Sie das Zeugnis, wenn ein Wert falsch ist. Hat ein Mensch den Tag gesetzt und er trifft nicht mehr zu, nehmen Sie ihn ab.',
  },
  'order-tag': {
    en: 'Order {order} has the tag "{tag}". Read the explanation or the history of the tag. Correct the order if a value is wrong, or take the tag off if a person has put it on and it no longer applies.',
    de: 'Auftrag {order} hat den Tag „{tag}“. Lesen Sie seine Erklärung oder seinen Verlauf. Korrigieren Sie den Auftrag, wenn ein Wert falsch ist. Hat ein Mensch den Tag gesetzt und er trifft nicht mehr zu, nehmen Sie ihn ab.',
  },
  'grade-mismatch': {
    en: '{expected} is demanded, and the steel is {actual}. {advice}',
    de: 'Verlangt ist {expected}, und der Stahl ist {actual}. {advice}',
  },
  'hollow-demanded': {
    en: '{expected} is demanded, a hollow section, and the certificate is for {actual}. Use a heat of hollow sections.',
    de: 'Verlangt ist {expected}, ein Hohlprofil, und das Zeugnis gilt für {actual}. Verwenden Sie eine Schmelze von Hohlprofilen.',
  },
  'hollow-offered': {
    en: '{expected} is demanded, no hollow section, and {offer}, a hollow section. Use another heat.',
    de: 'Verlangt ist {expected}, kein Hohlprofil, und {offer}, ein Hohlprofil. Verwenden Sie eine andere Schmelze.',
  },
  'grade-substitute': {
    en: '{actual} would be a substitute for {expected}. The designer and the welding procedure have a say, so ask before you override.',
    de: '{actual} wäre ein Ersatz für {expected}. Tragwerksplaner und Schweißanweisung reden mit: Fragen Sie, bevor Sie übersteuern.',
  },
  'grade-substitute-allowed': {
    en: '{actual} is a substitute for {expected}. The order allows it: {reference}.',
    de: '{actual} ist ein Ersatz für {expected}. Der Auftrag erlaubt ihn: {reference}.',
  },
  'delivery-condition-unstated': {
    en: '{expected} is demanded, and the delivery condition of {actual} is not stated. Ask the mill, and correct the certificate.',
    de: 'Verlangt ist {expected}, und zu {actual} ist kein Lieferzustand angegeben. Fragen Sie das Werk, und korrigieren Sie das Zeugnis.',
  },
  'bar-grade-differs': {
    en: 'The bar was planned as {expected}, and the certificate says {actual}. Check that it is the right bar.',
    de: 'Der Stab wurde als {expected} geplant, und im Zeugnis steht {actual}. Prüfen Sie, ob es der richtige Stab ist.',
  },
  'grade-unreadable': {
    en: '{expected} and {actual} cannot be compared, because {reason}. Compare them by hand, then correct the grade or override.',
    de: '{expected} und {actual} sind nicht vergleichbar: {reason}. Vergleichen Sie von Hand, dann korrigieren Sie die Güte oder übersteuern.',
  },
  'grade-withdrawn': {
    en: '{subject} names the steel {actual}, a name that was withdrawn; it was read as {expected}, which took its place. Check by the standard of that time whether the steel is good enough.',
    de: '{subject} nennt den Stahl {actual}. Der Name ist zurückgezogen und wurde als {expected} gelesen, der an seine Stelle trat. Prüfen Sie nach der damaligen Norm, ob der Stahl genügt.',
  },
  'option-unmet': {
    en: 'The order demands {demanded}, and the certificate states {stated}. Use another heat, or ask the designer before you override.',
    de: 'Der Auftrag verlangt {demanded}, und im Zeugnis steht {stated}. Verwenden Sie eine andere Schmelze, oder fragen Sie den Tragwerksplaner, bevor Sie übersteuern.',
  },
  'option-unstated': {
    en: 'The order demands {demanded}, and the certificate does not state {value}. Ask the mill, and complete the certificate.',
    de: 'Der Auftrag verlangt {demanded}; im Zeugnis fehlt {value}. Fragen Sie das Werk, und ergänzen Sie das Zeugnis.',
  },
  'profile-mismatch': {
    en: 'The profile {expected} is demanded, and {offer}. Use another bar.',
    de: 'Verlangt ist das Profil {expected}, und {offer}. Verwenden Sie einen anderen Stab.',
  },
  'form-mismatch': {
    en: 'The profile {expected} is demanded, and the certificate is for the product form {form}. Use another bar.',
    de: 'Verlangt ist das Profil {expected}, und das Zeugnis gilt für die Erzeugnisform {form}. Verwenden Sie einen anderen Stab.',
  },
  'profile-unreadable': {
    en: 'The profile {expected} is demanded, and {offer}. They cannot be compared, because "{unread}" is no section that Heatmark knows. Compare them by hand.',
    de: 'Verlangt ist das Profil {expected}, und {offer}. Sie sind nicht vergleichbar, weil Heatmark kein Profil „{unread}“ kennt. Vergleichen Sie von Hand.',
  },
  'flat-for-plate': {
    en: '{expected} is demanded, and {offer}, which is a flat and no plate: its edges and tolerances differ. Compare them by hand.',
    de: 'Verlangt ist {expected}, und {offer}, ein Flachstahl und kein Blech: Kanten und Toleranzen sind andere. Vergleichen Sie von Hand.',
  },
  'plate-for-flat': {
    en: '{expected} is demanded, and {offer}, which is a plate and no flat: its edges and tolerances differ. Compare them by hand.',
    de: 'Verlangt ist {expected}, und {offer}, ein Blech und kein Flachstahl: Kanten und Toleranzen sind andere. Vergleichen Sie von Hand.',
  },
  'thickness-mismatch': {
    en: 'The thickness of {profile} is {expected} mm, and the certificate states {actual} mm. Use another bar, or correct the certificate.',
    de: 'Die Dicke von {profile} ist {expected} mm, und im Zeugnis stehen {actual} mm. Verwenden Sie einen anderen Stab, oder korrigieren Sie das Zeugnis.',
  },
  'width-mismatch': {
    en: 'The width of {profile} is {expected} mm, and the certificate states {actual} mm. Use another bar, or correct the certificate.',
    de: 'Die Breite von {profile} ist {expected} mm, und im Zeugnis stehen {actual} mm. Verwenden Sie einen anderen Stab, oder korrigieren Sie das Zeugnis.',
  },
  'profiles-differ-on-bar': {
    en: 'The cuts on this bar are for different profiles: {names}. Reject the cuts of all but one.',
    de: 'Die Schnitte an diesem Stab sind für verschiedene Profile: {names}. Lehnen Sie die Schnitte aller bis auf eines ab.',
  },
  'profiles-on-bar-unreadable': {
    en: 'The cuts on this bar are for different profiles: {names}. They cannot be compared, because Heatmark does not know "{unread}". Compare them by hand.',
    de: 'Die Schnitte an diesem Stab sind für verschiedene Profile: {names}. Sie sind nicht vergleichbar, weil Heatmark „{unread}“ nicht kennt. Vergleichen Sie von Hand.',
  },
  'certificate-contradicts-itself': {
    en: 'The certificate contradicts itself: {contradiction}. Read the original, and correct the certificate.',
    de: 'Das Zeugnis widerspricht sich: {contradiction}. Lesen Sie das Original, und korrigieren Sie das Zeugnis.',
  },
  'document-insufficient': {
    en: 'Order {order} requires an inspection document {expected}; the certificate is a {actual}. Ask the mill for the higher document.',
    de: 'Auftrag {order} verlangt eine Prüfbescheinigung {expected}; das Zeugnis ist eine {actual}. Bitten Sie das Werk um die höhere Bescheinigung.',
  },
  'demand-unstated': {
    en: '{subject} does not state {demand}. Correct the order.',
    de: '{subject}: Nicht angegeben ist {demand}. Korrigieren Sie den Auftrag.',
  },
  'cut-too-short': {
    en: '{line} demands pieces of {expected} mm, and a cut is {actual} mm long. Reject the cut, and plan the piece in its full length.',
    de: '{line} verlangt Teile von {expected} mm, und ein Schnitt ist {actual} mm lang. Lehnen Sie den Schnitt ab, und planen Sie das Teil in voller Länge.',
  },
  'line-overplanned': {
    en: '{line} demands {pieces}, and {actual} cuts are Accepted for it. Reject the cuts that nobody needs, or correct the order.',
    de: '{line} verlangt {pieces}, und {actual} Schnitte sind dafür angenommen. Lehnen Sie ab, was niemand braucht, oder korrigieren Sie den Auftrag.',
  },
  'line-cancelled': {
    en: '{line} is cancelled. Reject the cut.',
    de: '{line} ist storniert. Lehnen Sie den Schnitt ab.',
  },
  'pack-rule': {
    en: '{line}: {explanation} (rule {rule} of {pack}, {clause})',
    de: '{line}: {explanation} (Regel {rule} von {pack}, {clause})',
  },
  'pack-rule-open': {
    en: '{line}: the rule {rule} of {pack} was not evaluated, because {missing} is missing. Complete the record.',
    de: '{line}: Die Regel {rule} von {pack} wurde nicht geprüft, weil {missing} fehlt. Ergänzen Sie den Datensatz.',
  },
  'piece-mark-repeated': {
    en: 'Lines {earlier} and {later} of order {order} have the same piece mark {mark}, so nobody can tell their pieces apart. Correct the order.',
    de: 'Die Positionen {earlier} und {later} des Auftrags {order} haben dieselbe Teilenummer {mark}. Niemand kann ihre Teile unterscheiden. Korrigieren Sie den Auftrag.',
  },
  'same-heat-blocked': {
    en: 'Another certificate of this heat is rejected or blocked. Find out why: it may be the same melt.',
    de: 'Ein anderes Zeugnis dieser Schmelze ist zurückgewiesen oder gesperrt. Klären Sie, warum: Es kann derselbe Stahl sein.',
  },
  'more-of-same-heat-blocked': {
    en: '{count} other certificates of this heat are rejected or blocked, of which {named} are named. Find out why: it may be the same melt.',
    de: '{count} andere Zeugnisse dieser Schmelze sind zurückgewiesen oder gesperrt, {named} davon sind genannt. Klären Sie, warum: Es kann derselbe Stahl sein.',
  },
  'heat-analyses-differ': {
    en: 'Certificate {certificate} of this heat states another ladle analysis ({expected}) than this one ({actual}). Read both originals: a value or a heat number is wrong, or one shows a product analysis.',
    de: 'Das Zeugnis {certificate} dieser Schmelze nennt eine andere Schmelzenanalyse ({expected}) als dieses ({actual}). Lesen Sie beide Originale: Ein Wert oder eine Schmelze ist falsch, oder eines zeigt eine Stückanalyse.',
  },
  'not-judged': {
    en: 'The certificate lacks values that these rule packs need: {packs}. Complete the certificate.',
    de: 'Dem Zeugnis fehlen Werte, die diese Regelpakete brauchen: {packs}. Ergänzen Sie das Zeugnis.',
  },
  'not-judged-without': {
    en: 'The certificate lacks values ({missing}) that these rule packs need: {packs}. Complete the certificate.',
    de: 'Dem Zeugnis fehlen Werte ({missing}), die diese Regelpakete brauchen: {packs}. Ergänzen Sie das Zeugnis.',
  },
  'original-missing': {
    en: 'The certificate has no document. Attach the original that the mill has issued.',
    de: 'Am Zeugnis hängt kein Dokument. Hängen Sie das Original des Werks an.',
  },
  'stock-exceeded': {
    en: 'Delivered on this certificate: {delivered}; planned and cut from it: {used}. Record the missing delivery, or plan other steel.',
    de: 'Auf dieses Zeugnis geliefert: {delivered}; daraus geplant und geschnitten: {used}. Erfassen Sie den fehlenden Wareneingang, oder planen Sie anderen Stahl.',
  },
} as const satisfies Readonly<Record<string, Text>>

/** Product forms, as sentences name them. */
const forms = {
  Plate: { en: 'Plate', de: 'Blech' },
  Coil: { en: 'Coil', de: 'Band' },
  Section: { en: 'Section', de: 'Profil' },
  HollowSection: { en: 'HollowSection', de: 'Hohlprofil' },
  Bar: { en: 'Bar', de: 'Stab' },
  Tube: { en: 'Tube', de: 'Rohr' },
  Other: { en: 'Other', de: 'Sonstige' },
} as const satisfies Readonly<Record<ProductForm, Text>>

/** Parts of sentences. */
const parts = {
  within: { en: '{place}: {finding}', de: '{place}: {finding}' },
  line: { en: 'Line {line} of order {order}', de: 'Position {line} des Auftrags {order}' },
  order: { en: 'Order {order}', de: 'Auftrag {order}' },
  'the-bar': { en: 'The bar', de: 'Der Stab' },
  'the-certificate': { en: 'The certificate', de: 'Das Zeugnis' },
  'planned-as': { en: 'the bar is planned as {what}', de: 'der Stab ist als {what} geplant' },
  'certificate-for': { en: 'the certificate is for {what}', de: 'das Zeugnis gilt für {what}' },
  'of-form': { en: '{grade} ({form})', de: '{grade} ({form})' },
  'use-demanded': {
    en: 'Use a heat of the demanded steel.',
    de: 'Verwenden Sie eine Schmelze des verlangten Stahls.',
  },
  'ask-hot-or-cold': {
    en: 'It is not stated whether the section follows EN 10210 (hot finished) or EN 10219 (cold formed): ask the mill, and correct the certificate.',
    de: 'Es steht nicht da, ob das Hohlprofil nach EN 10210 (warmgefertigt) oder EN 10219 (kaltgefertigt) geliefert ist: Fragen Sie das Werk, und korrigieren Sie das Zeugnis.',
  },
  'contradict-each-other': {
    en: '{statements} contradict each other',
    de: '{statements} widersprechen sich',
  },
  and: { en: '{one} and {other}', de: '{one} und {other}' },
  'name-missing': { en: 'a name is missing', de: 'ein Name fehlt' },
  'name-unknown': {
    en: '"{names}" is unknown or contradicts the values beside it',
    de: '„{names}“ ist unbekannt oder widerspricht den Werten daneben',
  },
  'name-bright': {
    en: '"{names}" is a bright product, which belongs to another standard (EN 10277)',
    de: '„{names}“ ist Blankstahl, für den eine andere Norm gilt (EN 10277)',
  },
  'stated-profile': { en: 'the profile {profile}', de: 'das Profil {profile}' },
  'stated-form': { en: 'the product form {form}', de: 'die Erzeugnisform {form}' },
  'stated-thickness': { en: 'the thickness {thickness} mm', de: 'die Dicke {thickness} mm' },
  'standard-without-hollow': {
    en: 'the standard {standard}, which has no hollow sections',
    de: 'die Norm {standard}, die keine Hohlprofile kennt',
  },
  'standard-of-hollow': {
    en: 'the standard {standard}, which is for hollow sections',
    de: 'die Norm {standard}, die für Hohlprofile gilt',
  },
  'demand-document': { en: 'the required inspection document', de: 'die verlangte Prüfbescheinigung' },
  'demand-class': { en: 'the execution class', de: 'die Ausführungsklasse' },
  'demand-grade': { en: 'the grade', de: 'die Güte' },
  'demand-quality': {
    en: 'the quality of {grade}, such as JR or J2',
    de: 'die Gütegruppe von {grade}, etwa JR oder J2',
  },
  'demand-hot-or-cold': {
    en: 'whether the section is hot finished (EN 10210) or cold formed (EN 10219)',
    de: 'die Fertigung des Hohlprofils, warm (EN 10210) oder kalt (EN 10219)',
  },
  'demand-temperature': {
    en: 'the temperature of the impact test',
    de: 'die Temperatur des Kerbschlagbiegeversuchs',
  },
  'ultrasonic-class': { en: 'the ultrasonic class', de: 'die Ultraschallklasse' },
  'ultrasonic-class-of': { en: 'ultrasonic class {class}', de: 'die Ultraschallklasse {class}' },
  'body-class': { en: 'the ultrasonic class of the body (S)', de: 'die Ultraschallklasse der Fläche (S)' },
  'edge-class': { en: 'the ultrasonic class of the edges (E)', de: 'die Ultraschallklasse der Ränder (E)' },
  'surface-class': { en: 'the surface class', de: 'die Oberflächenklasse' },
  'surface-class-of': { en: 'surface class {class}', de: 'die Oberflächenklasse {class}' },
  'z-or-area': {
    en: 'a Z quality or the reduction of area',
    de: 'die Z-Güte oder die Brucheinschnürung',
  },
  area: { en: 'the reduction of area', de: 'die Brucheinschnürung' },
  'area-of': { en: 'a reduction of area of {values} %', de: 'eine Brucheinschnürung von {values} %' },
  'silicon-class': {
    en: 'the silicon class {class} ({limits})',
    de: 'die Siliziumklasse {class} ({limits})',
  },
  cev: { en: 'a carbon equivalent of at most {most}', de: 'ein Kohlenstoffäquivalent von höchstens {most}' },
  'cev-elements': {
    en: 'all elements of the carbon equivalent',
    de: 'ein Element des Kohlenstoffäquivalents',
  },
  'cev-at-least': {
    en: 'elements that give at least {cev}',
    de: 'eine Analyse, die mindestens {cev} ergibt',
  },
  'cev-of': { en: 'elements that give {cev}', de: 'eine Analyse, die {cev} ergibt' },
  'impact-reduced': {
    en: '{joule} J at {temperature} °C, which is {reduced} J for a reduced test piece',
    de: '{joule} J bei {temperature} °C, bei verkleinerter Probe {reduced} J',
  },
  'impact-singles': {
    en: 'single values of {singles} J at {temperature} °C',
    de: 'Einzelwerte von {singles} J bei {temperature} °C',
  },
  'impact-of': { en: '{joule} J at {temperature} °C', de: '{joule} J bei {temperature} °C' },
  'impact-test': {
    en: 'an impact test at {temperature} °C',
    de: 'ein Kerbschlagbiegeversuch bei {temperature} °C',
  },
  'normalised-rolling': { en: 'normalised rolling (+N)', de: 'normalisierendes Walzen (+N)' },
  'delivery-condition': { en: 'the delivery condition', de: 'der Lieferzustand' },
  'not-stated': { en: 'not stated', de: 'nicht angegeben' },
  pieces: { en: '{count} {count:piece|pieces}', de: '{count} Stück' },
  metres: { en: '{count}, {metres} m', de: '{count}, {metres} m' },
} as const satisfies Readonly<Record<string, Text>>

export const findingTexts = { ...findings, ...forms, ...parts, ...gapTexts }
