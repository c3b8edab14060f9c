import type { CertificateContent } from '../../src/domain/certificates/certificateContent.ts'
import { mechanicalFields } from '../../src/domain/certificates/materialTests.ts'
import { pick } from '../../src/domain/kernel/fields.ts'
import { type Part, strengths } from './fineGrainLimits.ts'
import { certificateSubject } from './shipped.ts'

/** The chemistry of a fine-grain steel within every limit. */
export const clean = {
  C: 0.08,
  Si: 0.2,
  Mn: 1.2,
  P: 0.01,
  S: 0.005,
  N: 0.005,
  Al: 0.03,
  Cu: 0.02,
  Cr: 0.02,
  Mo: 0,
  Ni: 0.02,
  V: 0,
}

export type Written = Partial<Omit<CertificateContent, 'mechanical'>> & {
  readonly mechanical?: Readonly<Record<string, number | null>>
}

/** A certificate within every limit, but for `written`. */
export function subjectOf(
  part: Part,
  strength: string,
  tough: boolean,
  { mechanical = {}, ...written }: Written,
) {
  const row = strengths.indexOf(strength)
  const thicknessMm = written.thicknessMm ?? 16
  const band = part.bands.findIndex((end) => thicknessMm <= end)
  const [least = 0, most = 0] = (part.rm[row]![band] ?? '').split('–').map(Number)
  return certificateSubject({
    standard: part.standard,
    grade: part.name(strength, tough),
    productForm: part.form,
    thicknessMm,
    analysis: 'ladle',
    chemistry: clean,
    ...written,
    mechanical: pick(mechanicalFields, {
      reHMpa: 480,
      rmMpa: (least + most) / 2,
      a5Percent: 30,
      kvJoule: 80,
      kvTemperatureC: tough ? -50 : -20,
      ...mechanical,
    }),
  })
}
