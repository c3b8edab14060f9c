import { z } from 'zod'
import { maxListedFaults } from '../../../problems/requests.ts'

/**
 * Lists and records in a request body. Zod judges every member, and a small body may have faults in tens of thousands of
 * them. These schemas stop when they have found as many faults as an answer lists.
 */

/** A list of bounded length, which is checked before the members. */
export function listOf<Member extends z.ZodType>(member: Member, { least = 0, most }: Lengths) {
  const list = new FirstFaultsOfList({
    type: 'array',
    element: member,
    most,
  }) as unknown as z.ZodArray<Member>
  const bounded = least > 0 ? list.min(least, `must have at least ${least} member`) : list
  return bounded.max(most, `must have at most ${most} members`)
}

interface Lengths {
  readonly least?: 0 | 1
  readonly most: number
}

/** An object with members of any name that `key` allows. */
export function recordOf<Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(key: Key, value: Value) {
  return new FirstFaultsOfRecord({ type: 'record', keyType: key, valueType: value }) as z.ZodRecord<
    Key,
    Value
  >
}

interface BoundedList extends z.core.$ZodArrayDef {
  readonly most: number
}

const FirstFaultsOfList = z.core.$constructor<z.ZodArray, BoundedList>('FirstFaultsOfList', (inst, def) => {
  z.ZodArray.init(inst, def)
  const { parse } = inst._zod
  inst._zod.parse = (payload, context) => {
    const members: unknown = payload.value
    if (!Array.isArray(members) || members.length > def.most) return parse(payload, context)
    payload.value = []
    for (const [index, value] of members.entries()) {
      if (payload.issues.length >= maxListedFaults) break
      const judged = def.element._zod.run({ value, issues: [] }, context) as z.core.ParsePayload
      payload.issues.push(...z.core.util.prefixIssues(index, judged.issues))
      ;(payload.value as unknown[]).push(judged.value)
    }
    return payload
  }
})

const FirstFaultsOfRecord = z.core.$constructor<z.ZodRecord>('FirstFaultsOfRecord', (inst, def) => {
  z.ZodRecord.init(inst, def)
  const { parse } = inst._zod
  inst._zod.parse = (payload, context) => {
    const sent: unknown = payload.value
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return parse(payload, context)
    const members = Object.entries(sent)
    payload.value = {}
    for (let from = 0; from < members.length; from += maxListedFaults) {
      if (payload.issues.length >= maxListedFaults) break
      const portion = Object.fromEntries(members.slice(from, from + maxListedFaults))
      const judged = parse({ value: portion, issues: [] }, context) as z.core.ParsePayload
      payload.issues.push(...judged.issues)
      Object.assign(payload.value as object, judged.value)
    }
    return payload
  }
})
