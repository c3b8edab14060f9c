export interface Steel {
  /** The heat that was read off the steel, with the spelling of who read it. */
  readonly heatRead: { readonly heatNumber: string } | null
  readonly certificate?: { readonly heatNumber: string } | null
}

/**
 * Return the heat of the steel of a bar: the one that was read off it, or else that of its certificate. If both differ, the
 * verdict of the bar says so.
 */
export function heatOfSteel({ heatRead, certificate }: Steel): string | undefined {
  return heatRead?.heatNumber ?? certificate?.heatNumber
}
