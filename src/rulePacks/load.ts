import { readdir, readFile } from 'node:fs/promises'
import { z } from 'zod'
import { tagNameKey } from '../domain/tag.ts'
import { compileRulePack, type RulePack } from './compile.ts'
import type { RulePackDocument } from './rulePack.ts'

const schemaFile = 'rulePack.schema.json'
const here = new URL('.', import.meta.url)

/** One JSON document and the file it stands in. */
interface Source {
  readonly file: string
  readonly text: string
}

interface Loaded {
  readonly file: string
  readonly pack: RulePack
}

type Fault = (file: string, where: string, message: string) => void

const pointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('') ||
  'the document'

const parse = ({ file, text }: Source, schema: z.ZodType, fault: Fault): RulePackDocument | undefined => {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    fault(file, 'the document', `${(error as Error).message.replaceAll(/\s+/g, ' ')}.`)
    return undefined
  }
  const checked = schema.safeParse(document)
  for (const { path, message } of checked.error?.issues ?? []) {
    const rule = path[0] === 'rules' && (document as RulePackDocument).rules?.[path[1] as number]?.ruleId
    fault(file, `${pointer(path)}${rule ? ` (rule ${rule})` : ''}`, `${message}.`)
  }
  return checked.success ? (document as RulePackDocument) : undefined
}

/** What may exist once among all packs, since a company may subscribe to all of them. */
const checkTogether = (loaded: readonly Loaded[], fault: Fault): void => {
  const taken = new Map<string, string>()
  const take = (what: string, file: string, where: string) => {
    const holder = taken.get(what)
    if (holder !== undefined && holder !== file) fault(file, where, `${holder} has it too.`)
    taken.set(what, file)
  }
  for (const { file, pack } of loaded) {
    const { id, rules, tags } = pack.document
    take(`pack ${id}`, file, `pack ${id}`)
    for (const { ruleId } of rules) take(`rule ${ruleId}`, file, `rule ${ruleId}`)
    for (const { family, name } of tags) take(`tag ${family} ${tagNameKey(name)}`, file, `tag name «${name}»`)
  }
}

/** The published schema of a pack's document. */
const readRulePackSchema = async (): Promise<z.core.JSONSchema.JSONSchema> =>
  JSON.parse(await readFile(new URL(schemaFile, here), 'utf8'))

/**
 * Reads and checks every rule pack of a directory: this one, unless told. The packs come in the order of
 * their ids.
 * @throws Error with a line for every fault: file, rule and column
 */
export const loadRulePacks = async (directory: URL = here): Promise<readonly RulePack[]> => {
  const schema = z.fromJSONSchema(await readRulePackSchema())
  const files = (await readdir(directory)).filter((name) => name.endsWith('.json') && name !== schemaFile)
  const sources = await Promise.all(
    files.sort().map(async (file) => ({ file, text: await readFile(new URL(file, directory), 'utf8') })),
  )

  const faults: string[] = []
  const fault: Fault = (file, where, message) => void faults.push(`${file}: ${where}: ${message}`)
  const loaded = sources.flatMap((source): Loaded[] => {
    const { file } = source
    const document = parse(source, schema, fault)
    if (!document) return []
    return [{ file, pack: compileRulePack(document, (where, message) => fault(file, where, message)) }]
  })
  checkTogether(loaded, fault)
  if (faults.length > 0) throw new Error(`Rule packs:\n${faults.map((line) => `  ${line}`).join('\n')}`)
  return loaded.map(({ pack }) => pack).sort((a, b) => (a.document.id < b.document.id ? -1 : 1))
}
