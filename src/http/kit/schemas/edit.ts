import { z } from 'zod'
import { type Edit, mergePatch } from '../../../domain/kernel/edit.ts'
import { asPointer, check } from '../body/validate.ts'

/** Bodies of PUT and PATCH. A field that is left out stays as it is. */

type LeftOut<Field extends z.ZodType> =
  Field extends z.ZodPipe<infer Sent extends z.ZodType, z.ZodTransform>
    ? Sent
    : Field extends z.ZodDefault<infer Sent extends z.ZodType>
      ? z.ZodOptional<Sent>
      : z.ZodOptional<Field>

/** Return the fields of a new record as fields of an edit: one that is left out is undefined, whatever a new record has. */
export function asEdit<Shape extends Readonly<Record<string, z.ZodType>>>(
  fields: Shape,
): { [Name in keyof Shape]: LeftOut<Shape[Name]> } {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, allowAbsent(field)]),
  ) as never
}

/** Apply a merge patch to the present content. The result must be the content of a new record. */
export function applyPatch<Content extends z.ZodType<object>>(
  content: Content,
  patch: object,
): Edit<z.output<Content>> {
  return (present) => {
    const { value, faults } = check(content, mergePatch(present, patch), asPointer)
    return { content: value, faults }
  }
}

function allowAbsent(field: z.ZodType): z.ZodType {
  const optional = z.optional(sentPart(field))
  // The fields of a new record say what each of them means.
  const { description: _, ...others } = z.globalRegistry.get(field) ?? {}
  return Object.keys(others).length > 0 ? optional.meta(others) : optional
}

/** `orNull` and `default` give an absent field a value. The schema within them checks what was sent. */
function sentPart(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodPipe) return field.in as z.ZodType
  return field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : field
}
