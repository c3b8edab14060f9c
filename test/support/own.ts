import { afterAll } from 'vitest'

type Part = { stop(): unknown } | { close(): unknown } | { end(): unknown } | { drop(): unknown }

/** Return a part that this spec file alone uses. It ends with the file, before the parts that it was given earlier. */
export async function own<Own extends Part>(starting: Own | Promise<Own>): Promise<Own> {
  const part = await starting
  afterAll(() => {
    if ('stop' in part) return part.stop()
    if ('close' in part) return part.close()
    return 'end' in part ? part.end() : part.drop()
  })
  return part
}
