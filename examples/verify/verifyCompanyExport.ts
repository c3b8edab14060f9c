#!/usr/bin/env node
import {
  type ExportFiles,
  jsonIn,
  linesOf,
  runCheck,
  type Trusted,
  tellVerdict,
  text,
  type Verdict,
  verifyExport,
  WrongExport,
} from './verifyExport.ts'
import { checkFiles, checkNamed, type FileList, manifestOf, type NamedFile } from './verifyPack.ts'

/**
 * Check the export of a whole company offline: `node verifyCompanyExport.ts FOLDER|ZIP`, or `heatmark audit verify`.
 * docs/leaving.md describes what is checked. The file imports nothing but Node itself and the two files beside it.
 */

export interface CompanyVerdict extends Verdict {
  readonly documents: number
}

interface Manifest extends FileList {
  readonly checkpoint?: { readonly size: number }
}

const format = 'heatmark-company-export/1'
const historyFolder = 'history/'
const eventsFile = 'events.ndjson'
const documentsFolder = 'documents/'

/** Whether these are the files of such an export, and not of a history alone or of a pack. */
export function isCompanyExport({ paths }: Pick<ExportFiles, 'paths'>): boolean {
  return paths.some((path) => path.startsWith(historyFolder))
}

/** @throws WrongExport that names the first wrong file, and the line in it */
export async function verifyCompanyExport(
  files: ExportFiles,
  trusted: Trusted = {},
): Promise<CompanyVerdict> {
  const manifest = (await manifestOf(files, format, 'the export of a company')) as Manifest
  const hashes = await checkFiles(files, manifest)
  const history = folderIn(files, historyFolder)
  const verdict = await verifyExport(history, trusted)
  const size = manifest.checkpoint?.size
  if (size === undefined) throw new WrongExport('manifest.json lacks the size of the checkpoint')
  if (size !== verdict.events)
    throw new WrongExport(`manifest.json names ${size} events, but ${historyFolder} has ${verdict.events}`)
  const named = await documentsIn(history)
  return { ...verdict, documents: checkNamed(hashes, documentsFolder, named, 'document') }
}

/** The files of a folder, by their paths within it. */
function folderIn({ paths, bytes, stream }: ExportFiles, folder: string): ExportFiles {
  return {
    paths: paths.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length)),
    bytes: (path) => bytes(`${folder}${path}`),
    stream: (path) => stream(`${folder}${path}`),
  }
}

/** Return the documents that the company has after these events. One that is deleted stays while it is attached. */
async function documentsIn(history: ExportFiles): Promise<readonly NamedFile[]> {
  const stored = new Map<string, NamedFile>()
  const deleted = new Set<string>()
  const attachments = new Map<string, number>()
  let number = 0
  for await (const bytes of linesOf(history, eventsFile)) {
    number += 1
    if (!bytes.includes('"type":"Document')) continue
    const where = `${eventsFile}, line ${number}`
    const wrong = () => new WrongExport(`${where}: this is not an event`)
    const { type, data } = jsonIn(text(where, bytes), wrong) as {
      readonly type: string
      readonly data: NamedFile & { readonly documentId: string }
    }
    // Another program has written it, and the service knows no document by it.
    if ('$bytes' in data) continue
    const { documentId, sha256, fileName } = data
    if (type === 'DocumentStored') {
      stored.set(documentId, { sha256, fileName })
      deleted.delete(documentId)
    } else if (type === 'DocumentDeleted') deleted.add(documentId)
    else if (type === 'DocumentAttached' || type === 'DocumentDetached') {
      const change = type === 'DocumentAttached' ? 1 : -1
      attachments.set(documentId, (attachments.get(documentId) ?? 0) + change)
    }
  }
  return [...stored].flatMap(([documentId, document]) =>
    !deleted.has(documentId) || (attachments.get(documentId) ?? 0) > 0 ? [document] : [],
  )
}

/** Return the result of a check in sentences. */
export function tellCompanyVerdict(verdict: CompanyVerdict): string {
  const { documents } = verdict
  return [
    tellVerdict(verdict),
    `${documents.toLocaleString('en')} ${documents === 1 ? 'document is' : 'documents are'} as the events name them. The tables under lists/ are a view of the events and are not signed.`,
  ].join('\n')
}

if (import.meta.main)
  await runCheck('verifyCompanyExport.ts', ['checkpoint', 'keys', 'tsa'], async (files, trusted) =>
    tellCompanyVerdict(await verifyCompanyExport(files, trusted)),
  )
