/** Cuts a font down. The package has no types, and those of others do not know all options. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    letters: string,
    options: {
      readonly targetFormat: 'woff2'
      readonly variationAxes: Readonly<Record<string, { readonly min: number; readonly max: number }>>
      /** The OpenType features that stay. */
      readonly keepFeatures: readonly string[]
      /** The texts of the table "name" that stay besides the usual ones. */
      readonly preserveNameIds: readonly number[]
    },
  ): Promise<Buffer>
}
