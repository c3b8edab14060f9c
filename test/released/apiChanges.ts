/** Finds what a later OpenAPI document breaks of the promises in docs/compatibility.md. */

// biome-ignore lint/suspicious/noExplicitAny: a JSON document.
type Json = any
type Direction = 'request' | 'answer'

/** Return a line for each thing that a caller of `released` could rely on, and that `present` does not have. */
export function brokenPromises(released: Json, present: Json): string[] {
  const compare = comparison(released, present)
  const operations = Object.entries<Json>(released.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods)
      .filter(([, { operationId }]) => operationId)
      .flatMap(([method, operation]) => {
        const now = present.paths[path]?.[method]
        if (!now) return [`${method} ${path} is missing`]
        const inPath = (document: Json) => document.paths[path].parameters ?? []
        return operationChanges(
          compare,
          { ...operation, parameters: [...inPath(released), ...(operation.parameters ?? [])] },
          { ...now, parameters: [...inPath(present), ...(now.parameters ?? [])] },
        )
      }),
  )
  const codes = codesIn(present)
  const missing = [...codesIn(released)].filter((code) => !codes.has(code))
  return [...operations, ...missing.map((code) => `the problem code ${code} is missing`)]
}

function operationChanges(compare: Comparison, old: Json, now: Json): string[] {
  const at = old.operationId
  if (now.operationId !== at) return [`${at} is called ${now.operationId}`]
  const named = ({ parameters }: Json, resolved: (part: Json) => Json) =>
    new Map<string, Json>(parameters.map(resolved).map((one: Json) => [`${one.in} ${one.name}`, one]))
  const [before, after] = [named(old, compare.old), named(now, compare.now)]
  const changes = [...before].flatMap(([name, { schema }]) =>
    after.has(name)
      ? compare.schemas(schema, after.get(name).schema, `${at} ${name}`, 'request')
      : [`${at} does not take ${name}`],
  )
  for (const [name, { required }] of after)
    if (required && !before.get(name)?.required) changes.push(`${at} requires ${name}`)
  changes.push(...contentChanges(compare, old.requestBody, now.requestBody, `${at} body`, 'request'))
  for (const [status, answer] of Object.entries<Json>(old.responses)) {
    const [was, is] = [compare.old(answer), compare.now(now.responses[status] ?? {})]
    // A later release may refuse fewer requests.
    if (!now.responses[status] && /^[45]/.test(status)) continue
    changes.push(...contentChanges(compare, was, is, `${at} ${status}`, 'answer'))
    const headers = Object.keys(was.headers ?? {}).filter((name) => !is.headers?.[name])
    changes.push(...headers.map((name) => `${at} ${status} has no header ${name}`))
  }
  return changes
}

function contentChanges(compare: Comparison, old: Json, now: Json, at: string, direction: Direction) {
  return Object.entries<Json>(compare.old(old ?? {}).content ?? {}).flatMap(([type, { schema }]) => {
    const content = compare.now(now ?? {}).content?.[type]
    return content
      ? compare.schemas(schema, content.schema, at, direction)
      : [`${at} is not of the type ${type}`]
  })
}

/** The values of every member "code". */
function codesIn(part: Json, codes = new Set<string>()): Set<string> {
  if (typeof part !== 'object' || part === null) return codes
  for (const code of valuesOf(part.properties?.code ?? {}) ?? []) codes.add(code)
  for (const member of Object.values(part)) codesIn(member, codes)
  return codes
}

const valuesOf = (schema: Json): Json[] | undefined =>
  'const' in schema ? [schema.const] : (schema.enum ?? undefined)

interface Comparison {
  readonly old: (part: Json) => Json
  readonly now: (part: Json) => Json
  schemas(old: Json, now: Json, at: string, direction: Direction): string[]
}

function comparison(released: Json, present: Json): Comparison {
  const [old, now] = [resolverOf(released), resolverOf(present)]
  const compared = new Set<string>()

  function schemas(was: Json = {}, is: Json = {}, at: string, direction: Direction): string[] {
    if (was.$ref && is.$ref) {
      const pair = [was.$ref, is.$ref, direction].join()
      if (compared.has(pair)) return []
      compared.add(pair)
    }
    const [before, after] = [alternatives(was, old), alternatives(is, now)]
    const fits = (type: unknown, into: unknown) =>
      into === undefined || type === into || (type === 'integer' && into === 'number')
    const changes = before.flatMap((one) => {
      const tried = after
        .filter((other) =>
          direction === 'request' ? fits(one.type, other.type) : fits(other.type, one.type),
        )
        .map((other) => changesOf(one, other, at, direction))
      return tried.sort((a, b) => a.length - b.length)[0] ?? [`${at} is not of the type ${one.type}`]
    })
    if (direction === 'answer')
      for (const { type } of after)
        if (!before.some((one) => fits(type, one.type))) changes.push(`${at} may be of the type ${type}`)
    return changes
  }

  function changesOf(was: Json, is: Json, at: string, direction: Direction): string[] {
    const changes = direction === 'request' ? tightened(was, is) : []
    const [values, others] = [valuesOf(was), valuesOf(is)]
    if (values && others && !values.some((value) => others.includes(value)))
      changes.push(`has none of its values ${values}`)
    if (was.format && was.format !== is.format && direction === 'answer') changes.push('has another format')
    const [narrow, wide] = direction === 'request' ? [was, is] : [is, was]
    for (const name of wide.required ?? [])
      if (!narrow.required?.includes(name))
        changes.push(direction === 'request' ? `requires ${name}` : `may lack ${name}`)
    for (const name of Object.keys(was.properties ?? {}))
      if (!is.properties?.[name]) changes.push(`has no member ${name}`)
    return [
      ...changes.map((change) => `${at} ${change}`),
      ...Object.entries(was.properties ?? {}).flatMap(([name, member]) =>
        is.properties?.[name] ? schemas(member, is.properties[name], `${at}.${name}`, direction) : [],
      ),
      ...['items', 'additionalProperties', 'propertyNames'].flatMap((part) =>
        typeof was[part] === 'object' ? schemas(was[part], is[part], `${at}[]`, direction) : [],
      ),
    ]
  }

  return { old, now, schemas }
}

/** Say which requests are refused that were accepted. */
function tightened(was: Json, is: Json): string[] {
  const least = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
  const most = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
  const values = valuesOf(is)
  const refused = (valuesOf(was) ?? []).filter((value) => values && !values.includes(value))
  return [
    ...least.filter((bound) => is[bound] > (was[bound] ?? Number.NEGATIVE_INFINITY)),
    ...most.filter((bound) => is[bound] < (was[bound] ?? Number.POSITIVE_INFINITY)),
    ...['pattern', 'format'].filter((rule) => is[rule] && is[rule] !== was[rule]),
    ...(values && !valuesOf(was) ? ['list of values'] : []),
  ]
    .map((rule) => `has a narrower ${rule}`)
    .concat(refused.map((value) => `does not take ${JSON.stringify(value)}`))
}

/** Return a function that follows references and joins what `allOf` has. */
function resolverOf(document: Json): (part: Json) => Json {
  return function resolve(part: Json): Json {
    if (part.$ref) {
      const steps: string[] = part.$ref.slice('#/'.length).split('/')
      return resolve(steps.reduce((at, step) => at[step], document))
    }
    if (!part.allOf) return part
    const { allOf, ...own } = part
    const parts: Json[] = [...allOf.map(resolve), own]
    return Object.assign({}, ...parts, {
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
      required: parts.flatMap(({ required }) => required ?? []),
    })
  }
}

/** Return the schemas of one type each, of which a value has to meet one. */
function alternatives(schema: Json, resolve: (part: Json) => Json): Json[] {
  const { anyOf, oneOf, ...own } = resolve(schema)
  const choices = anyOf ?? oneOf
  if (choices) return choices.flatMap((choice: Json) => alternatives(choice, resolve))
  return [own.type].flat().map((type) => ({ ...own, type }))
}
