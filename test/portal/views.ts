/** The views in which a full run looks at the screens and dialogs. */

const widths = [390, 820, 1440] as const
const schemes = ['light', 'dark'] as const

export const allViews = widths.flatMap((width) => schemes.map((colorScheme) => ({ width, colorScheme })))

/** The view in which most faults of a layout or of a colour show. */
export const smallView = { width: 390, colorScheme: 'dark' } as const
