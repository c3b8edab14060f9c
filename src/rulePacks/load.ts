import { readdir, readFile } from 'node:fs/promises'
import { z } from 'zod'
import { tagNameKey } from '../domain/tags/tag.ts'
import type { PackFault } from './checks.ts'
import { compileRulePack, type RulePack } from './compile.ts'
import type { RulePackDocument } from './rulePack.ts'

const schemaFile = new URL('rulePack.schema.json', import.meta.url)
const shipped = new URL('packs/', import.meta.url)

interface Source {
  readonly file: string
  readonly text: string
}

export type ShippedRulePack = RulePack<RulePackDocument>

interface Loaded {
  readonly file: string
  readonly pack: ShippedRulePack
}

type ReportInFile = (file: string, where: string, message: string) => void

/**
 * Read and check every version of every rule pack in a directory, by default of those that Heatmark ships. A version
 * stays in the directory for ever, because companies may stay with it. The packs are sorted by id and version.
 * @throws Error with one line for each fault, which names the file, the place in it and the fault
 */
export async function loadRulePacks(directory: URL = shipped): Promise<readonly ShippedRulePack[]> {
  const schema = z.fromJSONSchema(await readSchema())
  const sources = await readSources(directory)

  const faults: string[] = []
  const report: ReportInFile = (file, where, message) => void faults.push(`${file}: ${where}: ${message}`)
  const loaded = sources.flatMap((source): Loaded[] => {
    const { file } = source
    const document = parse(source, schema, report)
    if (!document) return []
    const reportPart = (fault: PackFault) => report(file, placeOf(fault), fault.message)
    return [{ file, pack: compileRulePack(document, reportPart) }]
  })
  checkTogether(loaded, report)
  if (faults.length > 0)
    throw new Error(`The rule packs are faulty:\n${faults.map((line) => `  ${line}`).join('\n')}`)
  return loaded.map(({ pack }) => pack).sort(byIdAndVersion)
}

async function readSchema(): Promise<z.core.JSONSchema.JSONSchema> {
  return JSON.parse(await readFile(schemaFile, 'utf8'))
}

async function readSources(directory: URL): Promise<Source[]> {
  const files = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.json'))
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
    report(file, `${pointerOf(path)}${rule ? ` (rule ${rule})` : ''}`, `${message}.`)
  }
  return checked.success ? withRestated(document as RulePackDocument) : undefined
}

/** Let each table say who restated its figures, and from what. */
function withRestated(document: RulePackDocument): RulePackDocument {
  const { restated, tables = {} } = document
  const stated = Object.entries(tables).map(([name, table]) => [name, { restated, ...table }])
  return { ...document, tables: Object.fromEntries(stated) }
}

function pointerOf(path: readonly PropertyKey[]): string {
  const steps = path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
  return steps.join('') || 'the document'
}

function placeOf({ part, line = 1, column }: PackFault): string {
  if (column === undefined) return part
  return line === 1 ? `${part}, column ${column}` : `${part}, line ${line}, column ${column}`
}

function byIdAndVersion({ document: a }: ShippedRulePack, { document: b }: ShippedRulePack): number {
  return a.id === b.id ? a.version - b.version : a.id < b.id ? -1 : 1
}

/** A company may subscribe to all packs, so the rules and tags of two packs must differ. Versions of a pack share them. */
function checkTogether(loaded: readonly Loaded[], report: ReportInFile): void {
  const holders = new Map<string, Loaded>()
  for (const own of loaded) {
    const { id, version, rules, tags } = own.pack.document
    const take = (key: string, where: string, mayShare: boolean) => {
      const holder = holders.get(key) ?? own
      if (holder !== own && !(mayShare && holder.pack.document.id === id))
        report(own.file, where, `It is also in ${holder.file}.`)
      holders.set(key, holder)
    }
    take(`pack ${id} ${version}`, `pack ${id}`, false)
    for (const { ruleId } of rules) take(`rule ${ruleId}`, `rule ${ruleId}`, true)
    for (const { family, name } of tags) take(`tag ${family} ${tagNameKey(name)}`, `tag name “${name}”`, true)
  }
}
