/** Analyses that keep within every limit, to which a spec adds one value. */

export const clean = {
  C: 0.1, Si: 0.2, Mn: 0.5, P: 0.01, S: 0.01, N: 0.005, Al: 0.03, Cu: 0.02, Cr: 0.02, Mo: 0.01, Ni: 0.02, V: 0,
} // biome-ignore format: one analysis, one line

export function stepOf(element: string): number {
  return ['P', 'S', 'N'].includes(element) ? 0.001 : 0.01
}

/** An analysis with this CEV. S235 has a higher limit only for ordered copper, which 0.30 % may be. */
export function withCev(cev: number, copper = 0) {
  const none = { Cr: 0, Mo: 0, V: 0, Ni: 0 }
  return { ...clean, ...none, Mn: 0.6, Cu: copper, C: Number((cev - 0.1 - copper / 15).toFixed(5)) }
}
