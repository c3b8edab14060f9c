import { isObject, memberOf } from '../json.ts'
import type { ReadRow } from '../readRow.ts'
import { unreadable } from '../unreadable.ts'
import { readEn10168 } from './en10168.ts'
import { readMetalsPassport } from './metalsPassport.ts'
import { isMillTestReport, readMillTestReport } from './millTestReport.ts'

/** The digital certificates that are read, by the member that holds the certificate. */
const formats = [
  { holder: 'Certificate', schema: 'en10168-schemas', versions: ['v0.4.1', 'v0.5.0'], read: readEn10168 },
  {
    holder: 'DigitalMaterialPassport',
    schema: 'metals-schemas',
    versions: ['v0.1.1'],
    read: readMetalsPassport,
  },
]

/** Read a digital certificate of any supported format. @throws Failure `unreadable` */
export function readCertificateJson(document: unknown): readonly ReadRow[] {
  const root = { value: document, pointer: '' }
  if (isMillTestReport(root)) return readMillTestReport(root)
  const format = formats.find(({ holder }) => isObject(memberOf(root, holder).value))
  if (!format)
    throw unreadable(
      'damaged',
      'This JSON is not a digital certificate: it has no Certificate and no DigitalMaterialPassport, and is no MillTestReportCredential.',
    )
  const { value: url } = memberOf(root, 'RefSchemaUrl')
  const version = typeof url === 'string' ? /\/(v\d+\.\d+\.\d+[^/]*)\//.exec(url)?.[1] : undefined
  if (version !== undefined && !format.versions.includes(version))
    throw unreadable(
      'other-kind',
      `This certificate follows version ${version.slice(0, 20).toWellFormed()} of its schema, which cannot be read. Send one of these versions: ${format.versions.join(', ')}.`,
    )
  return format.read(memberOf(root, format.holder))
}
