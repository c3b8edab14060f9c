import type { CertificateContent } from '../../src/domain/certificates/certificateContent.ts'
import { rowsOf } from './markdown.ts'

/** The limits of fine-grain steels, written independently of the packs. */

export interface Part {
  readonly pack: string
  readonly standard: string
  readonly name: (strength: string, tough: boolean) => string
  readonly form: CertificateContent['productForm']
  /** Maxima of the ladle analysis: C of the plain and of the tough quality, Si, Mn, V, Ni, Cu, N. */
  readonly analysis: string[][]
  /** P and S of the plain and of the tough quality. */
  readonly purity: readonly (readonly [number, number])[]
  /** Thickness (mm) at which the following columns hold: CEV, ReH, Rm, A. */
  readonly bands: readonly number[]
  readonly cev: string[][]
  readonly reH: string[][]
  readonly rm: string[][]
  readonly elongation: readonly number[]
}

export const strengths = ['S275', 'S355', 'S420', 'S460']
export const elements = ['C', 'C', 'Si', 'Mn', 'V', 'Ni', 'Cu', 'N']
export const parts: readonly Part[] = [
  {
    pack: 'en10025-3',
    standard: 'EN 10025-3',
    name: (strength, tough) => `${strength}${tough ? 'NL' : 'N'}`,
    form: 'Plate',
    analysis: rowsOf(`
      | 0.18 | 0.16 | 0.40 | 1.50 | 0.05 | 0.30 | 0.55 | 0.015 |
      | 0.20 | 0.18 | 0.50 | 1.65 | 0.12 | 0.50 | 0.55 | 0.015 |
      | 0.20 | 0.20 | 0.60 | 1.70 | 0.20 | 0.80 | 0.55 | 0.025 |
      | 0.20 | 0.20 | 0.60 | 1.70 | 0.20 | 0.80 | 0.55 | 0.025 |`),
    purity: [
      [0.03, 0.025],
      [0.025, 0.02],
    ],
    bands: [16, 40, 63, 80, 100, 150, 200, 250],
    cev: rowsOf(`
      | 0.40 | 0.40 | 0.40 | 0.40 | 0.40 | 0.42 | 0.42 | 0.42 |
      | 0.43 | 0.43 | 0.43 | 0.45 | 0.45 | 0.45 | 0.45 | 0.45 |
      | 0.48 | 0.48 | 0.48 | 0.50 | 0.50 | 0.52 | 0.52 | 0.52 |
      | 0.53 | 0.53 | 0.53 | 0.54 | 0.54 | 0.55 | 0.55 | –    |`),
    reH: rowsOf(`
      | 275 | 265 | 255 | 245 | 235 | 225 | 215 | 205 |
      | 355 | 345 | 335 | 325 | 315 | 295 | 285 | 275 |
      | 420 | 400 | 390 | 370 | 360 | 340 | 330 | 320 |
      | 460 | 440 | 430 | 410 | 400 | 380 | 370 | –   |`),
    rm: rowsOf(`
      | 370–510 | 370–510 | 370–510 | 370–510 | 370–510 | 350–480 | 350–480 | 350–480 |
      | 470–630 | 470–630 | 470–630 | 470–630 | 470–630 | 450–600 | 450–600 | 450–600 |
      | 520–680 | 520–680 | 520–680 | 520–680 | 520–680 | 500–650 | 500–650 | 500–650 |
      | 540–720 | 540–720 | 540–720 | 540–720 | 540–720 | 530–710 | 530–710 | –       |`),
    elongation: [24, 22, 19, 17],
  },
  {
    pack: 'en10025-4',
    standard: 'EN 10025-4',
    name: (strength, tough) => `${strength}${tough ? 'ML' : 'M'}`,
    form: 'Plate',
    analysis: rowsOf(`
      | 0.13 | 0.13 | 0.50 | 1.50 | 0.08 | 0.30 | 0.55 | 0.015 |
      | 0.14 | 0.14 | 0.50 | 1.60 | 0.10 | 0.50 | 0.55 | 0.015 |
      | 0.16 | 0.16 | 0.50 | 1.70 | 0.12 | 0.80 | 0.55 | 0.025 |
      | 0.16 | 0.16 | 0.60 | 1.70 | 0.12 | 0.80 | 0.55 | 0.025 |`),
    purity: [
      [0.03, 0.025],
      [0.025, 0.02],
    ],
    bands: [16, 40, 63, 80, 100, 120],
    cev: rowsOf(`
      | 0.34 | 0.34 | 0.35 | 0.38 | 0.38 | 0.38 |
      | 0.39 | 0.39 | 0.40 | 0.45 | 0.45 | 0.45 |
      | 0.43 | 0.45 | 0.46 | 0.47 | 0.47 | 0.47 |
      | 0.45 | 0.46 | 0.47 | 0.48 | 0.48 | 0.48 |`),
    reH: rowsOf(`
      | 275 | 265 | 255 | 245 | 245 | 240 |
      | 355 | 345 | 335 | 325 | 325 | 320 |
      | 420 | 400 | 390 | 380 | 370 | 365 |
      | 460 | 440 | 430 | 410 | 400 | 385 |`),
    rm: rowsOf(`
      | 370–530 | 370–530 | 360–520 | 350–510 | 350–510 | 350–510 |
      | 470–630 | 470–630 | 450–610 | 440–600 | 440–600 | 430–590 |
      | 520–680 | 520–680 | 500–660 | 480–640 | 470–630 | 460–620 |
      | 540–720 | 540–720 | 530–710 | 510–690 | 500–680 | 490–660 |`),
    elongation: [24, 22, 19, 17],
  },
  {
    pack: 'fine-grain-hollow-sections',
    standard: 'EN 10210-1',
    name: (strength, tough) => `${strength}${tough ? 'NLH' : 'NH'}`,
    form: 'HollowSection',
    analysis: rowsOf(`
      | 0.20 | 0.20 | 0.40 | 1.40 | 0.08 | 0.30 | 0.35 | 0.015 |
      | 0.20 | 0.18 | 0.50 | 1.65 | 0.12 | 0.50 | 0.35 | 0.020 |
      | 0.22 | 0.22 | 0.60 | 1.70 | 0.20 | 0.80 | 0.70 | 0.025 |
      | 0.22 | 0.22 | 0.60 | 1.70 | 0.20 | 0.80 | 0.70 | 0.025 |`),
    purity: [
      [0.035, 0.03],
      [0.03, 0.025],
    ],
    bands: [16, 40, 65],
    cev: rowsOf(`
      | 0.40 | 0.40 | 0.40 |
      | 0.43 | 0.45 | 0.45 |
      | 0.50 | 0.52 | 0.52 |
      | 0.53 | 0.55 | 0.55 |`),
    reH: rowsOf(`
      | 275 | 265 | 255 |
      | 355 | 345 | 335 |
      | 420 | 400 | 390 |
      | 460 | 440 | 430 |`),
    rm: rowsOf(`
      | 370–510 | 370–510 | 370–510 |
      | 470–630 | 470–630 | 470–630 |
      | 520–680 | 520–680 | 520–680 |
      | 540–720 | 540–720 | 540–720 |`),
    elongation: [22, 20, 17, 15],
  },
  {
    pack: 'fine-grain-hollow-sections',
    standard: 'EN 10219-1',
    name: (strength, tough) => `${strength}${tough ? 'MLH' : 'MH'}`,
    form: 'HollowSection',
    analysis: rowsOf(`
      | 0.13 | 0.13 | 0.50 | 1.50 | 0.08 | 0.30 | – | 0.020 |
      | 0.14 | 0.14 | 0.50 | 1.50 | 0.10 | 0.30 | – | 0.020 |
      | 0.16 | 0.16 | 0.50 | 1.70 | 0.12 | 0.30 | – | 0.020 |
      | 0.16 | 0.16 | 0.60 | 1.70 | 0.12 | 0.30 | – | 0.025 |`),
    purity: [
      [0.035, 0.03],
      [0.03, 0.025],
    ],
    bands: [16, 40],
    cev: rowsOf(`
      | 0.34 | 0.34 |
      | 0.39 | 0.39 |
      | 0.43 | 0.45 |
      | 0.46 | 0.47 |`),
    reH: rowsOf(`
      | 275 | 265 |
      | 355 | 345 |
      | 420 | 400 |
      | 460 | 440 |`),
    rm: rowsOf(`
      | 360–510 | 360–510 |
      | 450–610 | 450–610 |
      | 500–660 | 500–660 |
      | 530–720 | 530–720 |`),
    elongation: [24, 22, 19, 17],
  },
]

/** Charpy energies lengthwise and across, J, by temperature. */
export const charpy = {
  plain: rowsOf(`
    | 20 | 55 | 31 |
    | 0 | 47 | 27 |
    | -10 | 43 | 24 |
    | -20 | 40 | 20 |`),
  tough: rowsOf(`
    | 20 | 63 | 40 |
    | 0 | 55 | 34 |
    | -10 | 51 | 30 |
    | -20 | 47 | 27 |
    | -30 | 40 | 23 |
    | -40 | 31 | 20 |
    | -50 | 27 | 16 |`),
}
