import { useState } from 'react'
import type { Fields } from '../../domain/kernel/fields.ts'
import { useFieldName } from '../screens/imports/fieldNames.ts'
import { useTexts } from '../texts/texts.ts'
import { changedValues, inputsOf, type Typed, typedOf } from './declaredFields.ts'
import type { Difference } from './Versions.tsx'

/** A form for declared fields, which begins with these values. What others save meanwhile does not change it. */
export function useFieldsForm(fields: Fields, values: object) {
  const { language } = useTexts()
  const nameOf = useFieldName()
  const [start] = useState(() => {
    const inputs = inputsOf(fields, values)
    const isNull = (name: string) => (values as Readonly<Record<string, unknown>>)[name] == null
    return { inputs, isNull, typed: typedOf(inputs, values, language) }
  })
  const [typed, setTyped] = useState<Typed>(start.typed)
  const { inputs } = start
  return {
    inputs,
    typed,
    onType: setTyped,
    /** The values that the person has changed. `undone` has their earlier values. */
    changed: changedValues(inputs, start.typed, typed),
    undone: Object.fromEntries(
      Object.entries(changedValues(inputs, typed, start.typed)).map(([name, value]) => [
        name,
        start.isNull(name) ? null : value,
      ]),
    ),
    compare(theirs: object): readonly Difference[] {
      const other = typedOf(inputs, theirs, language)
      return inputs
        .filter(({ path }) => typed[path] !== other[path])
        .map(({ path }) => ({ name: nameOf(path), mine: typed[path], theirs: other[path] }))
    },
  }
}
