import { toldIn } from '../../domain/verdict/sentence.ts'
import type { AuditEntry } from '../api/generated.ts'
import { useFieldName } from '../screens/imports/fieldNames.ts'
import { type TextName, useTexts } from '../texts/texts.ts'
import { changedName } from './changedName.ts'

/** Fields that have another name in a history than in a form. */
const ownNames: Readonly<Record<string, TextName>> = {
  name: 'name',
  color: 'colour',
  findings: 'overrideFindings',
  uncovered: 'overrideFindings',
  heatRead: 'heat',
  millCertificationId: 'certificate',
  orderId: 'order',
  lineItemId: 'lineTitle',
  lineItems: 'lines',
  fileName: 'name',
  barId: 'bar',
  cutId: 'cut',
  tagId: 'tag',
}

/** Return a function that names a changed field. */
export function useChangedName(): (field: string) => string {
  const { t } = useTexts()
  const fieldName = useFieldName()
  const names = {
    fieldName: (path: string) => (ownNames[path] ? t(ownNames[path]) : fieldName(path)),
    lineName: (n: string) => t('line', { n }),
  }
  return (field) => changedName(field, names)
}

type Told = Pick<AuditEntry, 'message' | 'sentence'>

/** Says what happened, in a sentence with the names of fields as the screens have them. */
export function Happened({ message, sentence }: Told) {
  const { language } = useTexts()
  const nameOf = useChangedName()
  return <span>{toldIn(language, { message, sentence: nameFields(sentence, nameOf) })}</span>
}

function nameFields({ text, values }: Told['sentence'], nameOf: (field: string) => string): Told['sentence'] {
  const fields = values?.fields
  if (typeof fields === 'string')
    return { text, values: { ...values, fields: [...new Set(fields.split(', ').map(nameOf))].join(', ') } }
  // A long list is a part of its own.
  if (typeof fields === 'object' && fields !== null && 'text' in fields)
    return { text, values: { ...values, fields: nameFields(fields as Told['sentence'], nameOf) } }
  return { text, ...(values && { values }) }
}
