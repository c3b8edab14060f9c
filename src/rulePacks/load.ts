import { readdir, readFile } from 'node:fs/promises'
import { z } from 'zod'
import { tagNameKey } from '../domain/tag.ts'
import { compileRulePack, type RulePack } from './compile.ts'
import type { RulePackDocument } from './rulePack.ts'

const schemaFile = 'rulePack.schema.json'
const here = new URL('.', import.meta.url)

interface Source {
  readonly file: string
  readonly text: string
}

interface Loaded {
  readonly file: string
  readonly pack: RulePack
}

type ReportInFile = (file: string, where: string, message: string) => void

/**
 * Read and check every rule pack of a directory, by default of this one. The packs are sorted by id.
 * @throws Error with one line for each fault, which names the file, the place in it and the fault
 */
export async function loadRulePacks(directory: URL = here): Promise<readonly RulePack[]> {
  const schema = z.fromJSONSchema(await readSchema())
  const sources = await readSources(directory)

  const faults: string[] = []
  const report: ReportInFile = (file, where, message) => void faults.push(`${file}: ${where}: ${message}`)
  const loaded = sources.flatMap((source): Loaded[] => {
    const { file } = source
    const document = parse(source, schema, report)
    if (!document) return []
    return [{ file, pack: compileRulePack(document, (where, message) => report(file, where, message)) }]
  })
  checkTogether(loaded, report)
  if (faults.length > 0)
    throw new Error(`The rule packs are faulty:\n${faults.map((line) => `  ${line}`).join('\n')}`)
  return loaded.map(({ pack }) => pack).sort((a, b) => (a.document.id < b.document.id ? -1 : 1))
}

async function readSchema(): Promise<z.core.JSONSchema.JSONSchema> {
  return JSON.parse(await readFile(new URL(schemaFile, here), 'utf8'))
}

async function readSources(directory: URL): Promise<Source[]> {
  const files = (await readdir(directory)).filter((name) => name.endsWith('.json') && name !== schemaFile)
  return Promise.all(
    files.sort().map(async (file) => ({ file, text: await readFile(new URL(file, directory), 'utf8') })),
  )
}

function parse(
  { file, text }: Source,
  schema: z.ZodType,
  report: ReportInFile,
): RulePackDocument | undefined {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    report(file, 'the document', `${(error as Error).message.replaceAll(/\s+/g, ' ')}.`)
    return undefined
  }
  const checked = schema.safeParse(document)
  for (const { path, message } of checked.error?.issues ?? []) {
    const rule = path[0] === 'rules' && (document as RulePackDocument).rules?.[path[1] as number]?.ruleId
    report(file, `${pointer(path)}${rule ? ` (rule ${rule})` : ''}`, `${message}.`)
  }
  return checked.success ? (document as RulePackDocument) : undefined
}

function pointer(path: readonly PropertyKey[]): string {
  const steps = path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
  return steps.join('') || 'the document'
}

/** A company may subscribe to all packs, so ids and tag names must be unique among them. */
function checkTogether(loaded: readonly Loaded[], report: ReportInFile): void {
  const holders = new Map<string, string>()
  const take = (name: string, file: string, where: string) => {
    const holder = holders.get(name)
    if (holder !== undefined && holder !== file) report(file, where, `It is also in ${holder}.`)
    holders.set(name, file)
  }
  for (const { file, pack } of loaded) {
    const { id, rules, tags } = pack.document
    take(`pack ${id}`, file, `pack ${id}`)
    for (const { ruleId } of rules) take(`rule ${ruleId}`, file, `rule ${ruleId}`)
    for (const { family, name } of tags) take(`tag ${family} ${tagNameKey(name)}`, file, `tag name «${name}»`)
  }
}
