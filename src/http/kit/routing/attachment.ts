/**
 * Return the value of Content-Disposition for a file with this name. `filename` has no percent sign, because some
 * browsers decode it there (RFC 6266, Appendix D), and only ASCII. If that changes the name, `filename*` says it whole.
 */
export function attachmentHeader(fileName: string): string {
  const name = fileName.toWellFormed()
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${whole}`}`
}
