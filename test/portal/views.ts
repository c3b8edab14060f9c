/** The views in which the screens and dialogs are looked at. */

export const widths = [390, 820, 1440] as const
export const schemes = ['light', 'dark'] as const
