import { useState } from 'react'
import type { Fields } from '../../domain/kernel/fields.ts'
import { useFieldName } from '../screens/imports/fieldNames.ts'
import { useTexts } from '../texts/texts.ts'
import { changedValues, formerValues, inputsOf, type Typed, typedOf } from './declaredFields.ts'
import type { Difference } from './Versions.tsx'

/**
 * A form for declared fields, which begins with these values. What others save meanwhile does not change it.
 * @param values of the record as it was read last
 */
export function useFieldsForm(fields: Fields, values: object) {
  const { language } = useTexts()
  const nameOf = useFieldName()
  const [start] = useState(() => {
    const inputs = inputsOf(fields, values)
    return { inputs, typed: typedOf(inputs, values, language) }
  })
  const [typed, setTyped] = useState<Typed>(start.typed)
  const { inputs } = start
  const isNull = (name: string) => (values as Readonly<Record<string, unknown>>)[name] == null
  return {
    inputs,
    typed,
    onType: setTyped,
    /** The values that the person has changed. `undone` has those that were read last, which others may have saved. */
    changed: changedValues(inputs, start.typed, typed),
    undone: Object.fromEntries(
      Object.entries(formerValues(inputs, start.typed, typed, typedOf(inputs, values, language))).map(
        ([name, value]) => [name, isNull(name) ? null : value],
      ),
    ),
    compare(theirs: object): readonly Difference[] {
      const other = typedOf(inputs, theirs, language)
      return inputs
        .filter(({ path }) => typed[path] !== other[path])
        .map(({ path }) => ({ name: nameOf(path), mine: typed[path], theirs: other[path] }))
    },
  }
}
