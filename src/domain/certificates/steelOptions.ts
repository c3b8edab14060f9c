import { type ContentOf, flag, number, object, oneOf, orNull } from '../kernel/fields.ts'
import { throughThickness } from '../steel/steelDesignation.ts'

/** The options that an order demands beyond the grade of its steel. */

/** EN 10160: S for the body of a plate, E for its edges, each from the laxest. */
const bodyClasses = ['S0', 'S1', 'S2', 'S3'] as const
const edgeClasses = ['E0', 'E1', 'E2', 'E3', 'E4'] as const
export const ultrasonicClasses = [
  ...bodyClasses,
  ...edgeClasses,
  ...bodyClasses.flatMap((body) => edgeClasses.map((edge) => `${body}${edge}` as const)),
] as const

/** EN 10163: A and B for plates and wide flats (part 2), C and D for sections (part 3), each with its subclasses. */
export const surfaceClasses = (['A', 'B', 'C', 'D'] as const).flatMap((letter) =>
  ([1, 2, 3] as const).map((subclass) => `${letter}${subclass}` as const),
)

/** For galvanising: the categories A and B of EN ISO 14713-2, the classes 1 to 3 of EN 10025-2. */
const siliconClasses = ['A', 'B', '1', '2', '3'] as const

export const optionFields = {
  zQuality: orNull(oneOf('ZQuality', throughThickness)),
  ultrasonicClass: orNull(oneOf('UltrasonicClass', ultrasonicClasses, { about: 'EN 10160.' })),
  surfaceClass: orNull(oneOf('SurfaceClass', surfaceClasses, { about: 'EN 10163.' })),
  siliconClass: orNull(
    oneOf('SiliconClass', siliconClasses, { about: 'A, B: EN ISO 14713-2. 1 to 3: EN 10025-2.' }),
  ),
  mostCev: orNull(number({ least: 0, most: 1, unit: '%', about: 'The largest carbon equivalent.' })),
  impactTemperatureC: orNull(number({ least: -196, most: 50, unit: '°C' })),
  impactJoule: orNull(number({ least: 1, most: 300, unit: 'J', about: 'Lengthwise; 27 if it is left out.' })),
  normalisedRolling: flag(),
}

export type SteelOptions = ContentOf<typeof optionFields>
export type SiliconClass = (typeof siliconClasses)[number]

/** One member of an order and of each of its lines. An option of a line beats that of the order. */
export const options = orNull(object('SteelOptions', optionFields, { about: 'Demands beyond the grade.' }))
