import pg from 'pg'

/** Converts values that PostgreSQL returns. */

const { builtins, getTypeParser } = pg.types

/** Times and dates stay text; 64-bit integers become numbers, exact up to 2^53. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: unknown) => {
    if (oid === builtins.TIMESTAMPTZ) return rfc3339
    if (oid === builtins.DATE) return (text: string) => text
    if (oid === builtins.INT8) return Number
    return getTypeParser(oid, format as 'text')
  },
}

/** Convert `2026-01-02 03:04:05.6+00`, PostgreSQL's form in a UTC session, to RFC 3339 with milliseconds. */
function rfc3339(text: string): string {
  if (text.length < 22 || !text.endsWith('+00')) return text
  const fraction = text[19] === '.' ? text.slice(20, -3) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}
