/** Small PDF files, written by hand (ISO 32000-1), so that a spec decides what is in them. */

/** A text at a place, in points from the lower left corner. */
export interface Drawn {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size?: number
  readonly isBold?: boolean
}

/** Return a PDF with these pages. Each page is its texts, or its content stream. */
export function pdfOf(
  pages: readonly (readonly Drawn[] | Buffer)[],
  more: { readonly objects?: readonly string[]; readonly trailer?: string; readonly isPacked?: boolean } = {},
): Buffer {
  const first = 5 + (more.objects?.length ?? 0)
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ')
  const resources = '<< /Font << /F1 3 0 R /F2 4 0 R >> /XObject << /X0 5 0 R >> >>'
  const filter = more.isPacked ? ' /Filter /FlateDecode' : ''
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    ...(more.objects ?? []),
    ...pages.flatMap((page, index) => {
      const content = Buffer.isBuffer(page) ? page : Buffer.from(page.map(drawn).join('\n'), 'latin1')
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources ${resources} /Contents ${first + 2 * index + 1} 0 R >>`,
        streamOf(`<< /Length ${content.length}${filter} >>`, content),
      ]
    }),
  ]
  return written(objects, more.trailer ?? '')
}

export function streamOf(dictionary: string, content: Buffer | string): Buffer {
  return Buffer.concat([
    Buffer.from(`${dictionary}\nstream\n`),
    Buffer.from(content),
    Buffer.from('\nendstream'),
  ])
}

function font(name: string): string {
  return `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
}

function drawn({ text, x, y, size = 8, isBold = false }: Drawn): string {
  const escaped = text.replaceAll(/[\\()]/g, (sign) => `\\${sign}`)
  return `BT /F${isBold ? 2 : 1} ${size} Tf ${x} ${y} Td (${escaped}) Tj ET`
}

function written(objects: readonly (string | Buffer)[], trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = parts[0]!.length
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ])
    parts.push(part)
    length += part.length
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(table), Buffer.from(end)])
}
