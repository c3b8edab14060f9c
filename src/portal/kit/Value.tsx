import { toldIn, wordIn } from '../../domain/verdict/sentence.ts'
import { type TextName, useTexts } from '../texts/texts.ts'
import { barTexts } from './BarMark.tsx'
import { certificateTexts } from './CertificateMark.tsx'
import { CertificateName, LineName, OrderName } from './RecordName.tsx'

interface ValueProps {
  readonly value: unknown
  /** The field that has the value in a history, such as `cuts/status`. */
  readonly field?: string
  /** Names the members of a value that has parts. Without it they have the names that rules give them. */
  readonly nameOf?: ((member: string) => string) | undefined
}

/** A value of a change or of a rule; the members of a value that has parts one on each line. */
export function Value({ value, field = '', nameOf }: ValueProps) {
  const { t, number, language } = useTexts()
  if (value === null || value === undefined || value === '') return <>–</>
  if (typeof value === 'number') return <>{number(value)}</>
  if (typeof value === 'boolean') return <>{t(value ? 'yes' : 'no')}</>
  if (typeof value !== 'object')
    return nameOf ? <Worded {...{ field }} value={String(value)} /> : String(value)
  if (isTold(value)) return <>{toldIn(language, value)}</>
  return (
    <ul className="values">
      {membersOf(value, nameOf !== undefined).map(([name, one]) => (
        <li key={name}>
          {!Array.isArray(value) && (
            <>{nameOf ? <span className="muted">{nameOf(name)}:</span> : <code>{name} =</code>} </>
          )}
          {name === 'lineItemId' && 'orderId' in value ? (
            <LineName orderId={String(value.orderId)} lineItemId={String(one)} />
          ) : (
            <Value value={one} field={Array.isArray(value) ? field : `${field}/${name}`} nameOf={nameOf} />
          )}
        </li>
      ))}
    </ul>
  )
}

/** A finding, which says everything in its sentence. */
function isTold(value: object): value is Parameters<typeof toldIn>[1] {
  return 'message' in value && 'sentence' in value
}

/** The records that have names for people. */
const records: Readonly<Record<string, typeof OrderName>> = {
  millCertificationId: CertificateName,
  orderId: OrderName,
}

/** Return the members to show. In a history, an id that names no such record says nothing to people. */
function membersOf(value: object, isInHistory: boolean): readonly [string, unknown][] {
  // The lines of an order have numbers. A cut names its line by the id alone.
  const isShown = (name: string) =>
    !name.endsWith('Id') || name in records || (name === 'lineItemId' && 'orderId' in value)
  return Object.entries(value).filter(([name]) => !isInHistory || isShown(name))
}

/** The statuses of bars and certificates. */
const statusTexts: Readonly<Record<string, TextName>> = { ...barTexts, ...certificateTexts }

/** A text of a history, in the words of the screens. */
function Worded({ field, value }: { readonly field: string; readonly value: string }) {
  const { t, language } = useTexts()
  const last = field.split('/').at(-1)!
  const Name = records[last]
  if (Name) return <Name id={value} />
  if (field === 'status' && statusTexts[value]) return <>{t(statusTexts[value])}</>
  // The status of a cut, the severity of a finding, or a role.
  if (['status', 'severity', 'roles'].includes(last)) return <>{wordIn(language, value)}</>
  return <>{value}</>
}
