import type { ProductForm } from '../certificates/certificateContent.ts'
import {
  isFlatForPlate,
  isSameSection,
  type Profile,
  type ProfileForm,
  readProfile,
} from '../steel/steelProfile.ts'
import { isHollowStandard, isOpenStandard } from '../steel/steelStandards.ts'
import { type Sentence, sentence } from './sentence.ts'
import { gradeWords, type SteelDifference } from './steelDifferences.ts'

/**
 * How the product of a certificate differs from the product that a line demands: its form, its section and its nominal
 * sizes. Tolerances (EN 10029, EN 10034, EN 10210-2, EN 10219-2) are not judged.
 */

export interface ProductText {
  readonly standard: string | null
  readonly grade: string
  readonly profile: string | null
  readonly productForm?: ProductForm | null
  readonly thicknessMm?: number | null
  readonly nominalDiameterMm?: number | null
  readonly widthMm?: number | null
  /** The stock of a bar as it was planned, not a certificate. */
  readonly isPlanned?: boolean
}

/** Compare a demanded product with an offered one, as far as both are stated. */
export function productDifferences(demand: ProductText, offer: ProductText): SteelDifference[] {
  const [demanded, offered] = [readStated(demand.profile), readStated(offer.profile)]
  const hollow = hollowForOpen(demand, demanded, offer, offered)
  if (hollow.length > 0) return hollow
  const profile = profileDifferences(demand, demanded, offer, offered)
  if (profile.length > 0 || !demanded) return profile
  const otherFlat = offered ? isFlatForPlate(demanded, offered) && offered.name : flatOfForm(demanded, offer)
  const ofForm = otherFlat ? [flatForPlate(demanded, otherFlat, offer)] : []
  return [...ofForm, ...sizeDifferences(demanded, offered, offer)]
}

function readStated(profile: string | null): Profile | undefined {
  return profile === null ? undefined : readProfile(profile)
}

/** The forms of sections that a certificate for each product form may be for. A mill calls flats and small angles bars. */
const formsOfProduct: Readonly<Record<ProductForm, readonly ProfileForm[] | undefined>> = {
  Plate: ['flat'],
  Coil: ['flat'],
  Section: ['open'],
  HollowSection: ['hollow'],
  Bar: ['bar', 'flat', 'open'],
  Tube: ['hollow'],
  Other: undefined,
}

/** Whether the product is a hollow section; undefined when nothing says so. */
function isHollow({ standard, grade, productForm }: ProductText, profile?: Profile): boolean | undefined {
  const forms = (productForm && formsOfProduct[productForm]) ?? (profile && [profile.form])
  if (forms) return forms.includes('hollow')
  if (isHollowStandard(standard ?? grade)) return true
  return isOpenStandard(standard ?? grade) ? false : undefined
}

/** A hollow section is another product, of another standard, whatever its steel is called. */
function hollowForOpen(
  demand: ProductText,
  demanded: Profile | undefined,
  offer: ProductText,
  offered: Profile | undefined,
): SteelDifference[] {
  if (isHollow(demand, demanded) !== false || isHollow(offer, offered) !== true) return []
  const [expected, actual] = [productWords(demand), productWords(offer)]
  const words = sentence('hollow-offered', { expected, offer: offerWords(offer, actual) })
  return [{ code: 'grade-mismatch', expected, actual, sentence: words }]
}

function offerWords({ isPlanned = false }: ProductText, what: string | Sentence): Sentence {
  return sentence(isPlanned ? 'planned-as' : 'certificate-for', { what })
}

function productWords(product: ProductText): string {
  return [product.profile, gradeWords(product)].filter(Boolean).join(', ')
}

function profileDifferences(
  demand: ProductText,
  demanded: Profile | undefined,
  offer: ProductText,
  offered: Profile | undefined,
): SteelDifference[] {
  if (demand.profile === null) return []
  if (offer.profile === null) return formDifferences(demand.profile, demanded, offer)
  const compared = { expected: demand.profile, actual: offer.profile }
  if (isSameSection(demand.profile, offer.profile)) return []
  const code = demanded && offered ? 'profile-mismatch' : 'profile-unreadable'
  const values = { expected: demand.profile, offer: offerWords(offer, offer.profile) }
  const unread = demanded ? offer.profile : demand.profile
  return [{ code, ...compared, sentence: sentence(code, { ...values, unread }) }]
}

/** The same size is no other section, but a person has to know of it. */
function flatForPlate(
  { name: expected, series }: Profile,
  actual: string,
  offer: ProductText,
): SteelDifference {
  const text = series === 'PL' ? 'flat-for-plate' : 'plate-for-flat'
  const what = Object.hasOwn(formsOfProduct, actual) ? sentence(actual as ProductForm) : actual
  const words = sentence(text, { expected, offer: offerWords(offer, what) })
  return { code: 'profile-unreadable', expected, actual, sentence: words }
}

/** Return the form of a product that is a plate for a flat, or a bar for a plate, where no profile says it. */
function flatOfForm({ series }: Profile, { productForm }: ProductText): ProductForm | false {
  if (series === 'FL' && productForm === 'Plate') return productForm
  return series === 'PL' && productForm === 'Bar' && productForm
}

/** A certificate that states no profile may still be for a product that the profile is not made of. */
function formDifferences(
  profile: string,
  demanded: Profile | undefined,
  { productForm }: ProductText,
): SteelDifference[] {
  const forms = productForm && formsOfProduct[productForm]
  if (!forms || !demanded || forms.includes(demanded.form)) return []
  const words = sentence('form-mismatch', { expected: profile, form: sentence(productForm!) })
  return [{ code: 'profile-mismatch', expected: profile, actual: productForm!, sentence: words }]
}

/** The narrowest difference of nominal sizes, in mm. */
const leastMm = 0.05

function sizeDifferences(
  demanded: Profile,
  offered: Profile | undefined,
  offer: ProductText,
): SteelDifference[] {
  const { thicknessMm } = demanded
  const difference = (text: Sentence['text'], expected: number, actual: number) => ({
    code: 'size-mismatch' as const,
    expected: `${expected} mm`,
    actual: `${actual} mm`,
    sentence: sentence(text, { profile: demanded.name, expected, actual }),
  })
  const differences: SteelDifference[] = []
  const stated = offer.thicknessMm ?? offer.nominalDiameterMm
  if (thicknessMm !== undefined && stated != null && Math.abs(stated - thicknessMm) > leastMm)
    differences.push(difference('thickness-mismatch', thicknessMm, stated))
  const width = widthOf(demanded)
  const widest = offer.widthMm ?? (offered && widthOf(offered))
  if (width !== undefined && widest !== undefined && width - widest > leastMm)
    differences.push(difference('width-mismatch', width, widest))
  return differences
}

/** A plate or a flat may be cut from a wider one. */
function widthOf({ form, sizes, thicknessMm }: Profile): number | undefined {
  if (form !== 'flat' || sizes.length < 2) return undefined
  return sizes.find((size) => size !== thicknessMm) ?? thicknessMm
}

/** Describe the statements about the product in a certificate that contradict each other. */
export function contradictionOf(product: ProductText): Sentence | undefined {
  const profile = readStated(product.profile)
  const { productForm, standard, thicknessMm } = product
  const forms = productForm ? formsOfProduct[productForm] : undefined
  if (profile && forms && !forms.includes(profile.form))
    return joinSentences(statedProfile(product), statedForm(productForm!))
  const hollow = forms?.includes('hollow') ?? (profile && profile.form === 'hollow')
  const textOfStated = () => (profile ? statedProfile(product) : statedForm(productForm!))
  if (standard && hollow === true && isOpenStandard(standard))
    return joinSentences(textOfStated(), sentence('standard-without-hollow', { standard }))
  if (standard && hollow === false && isHollowStandard(standard))
    return joinSentences(textOfStated(), sentence('standard-of-hollow', { standard }))
  if (
    profile?.thicknessMm !== undefined &&
    thicknessMm != null &&
    Math.abs(profile.thicknessMm - thicknessMm) > leastMm
  )
    return joinSentences(statedProfile(product), sentence('stated-thickness', { thickness: thicknessMm }))
  return undefined
}

function joinSentences(one: Sentence, other: Sentence): Sentence {
  return sentence('and', { one, other })
}

function statedProfile({ profile }: ProductText): Sentence {
  return sentence('stated-profile', { profile: profile! })
}

function statedForm(form: ProductForm): Sentence {
  return sentence('stated-form', { form: sentence(form) })
}
