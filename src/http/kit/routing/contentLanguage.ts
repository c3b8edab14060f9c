import type { IncomingMessage } from 'node:http'
import type { Response } from 'express'
import Negotiator from 'negotiator'
import { type Language, languages } from '../../../domain/verdict/findingTexts.ts'
import { toldIn } from '../../../domain/verdict/sentence.ts'

/** The language in which answers tell findings, gaps, histories and explanations, by Accept-Language (RFC 9110, 12.5.4). */

/** A longer header counts as none: each comma takes time, and browsers send 50 bytes. */
const longestHeader = 1_024

export function languageFor({ headers }: IncomingMessage): Language {
  const { 'accept-language': header = '' } = headers
  if (header === '' || header.length > longestHeader) return 'en'
  const preferred = new Negotiator({ headers: { 'accept-language': header } }).language([...languages])
  return (preferred as Language | undefined) ?? 'en'
}

/** Say in which language the answer tells findings, gaps and histories. */
export function declareLanguage(res: Response): void {
  res.vary('Accept-Language')
  res.setHeader('Content-Language', languageFor(res.req))
}

/** Return the JSON in the language that the caller prefers. It is the same bytes if they tell nothing in another one. */
export function toldFor(req: IncomingMessage, json: Buffer): Buffer {
  const language = languageFor(req)
  if (language === 'en' || !tells(json)) return json
  return Buffer.from(JSON.stringify(JSON.parse(json.toString(), withLanguage(language))))
}

export function tells(json: Buffer): boolean {
  return json.includes('"sentence":{')
}

/** Return the replacer for `JSON.stringify` that puts findings, gaps and histories into the caller's language; undefined for English. */
export function tellingFor(req: IncomingMessage): ReturnType<typeof withLanguage> | undefined {
  const language = languageFor(req)
  return language === 'en' ? undefined : withLanguage(language)
}

function withLanguage(language: Language) {
  return (_: string, value: unknown) =>
    isTold(value) ? { ...value, message: toldIn(language, value) } : value
}

function isTold(value: unknown): value is Parameters<typeof toldIn>[1] {
  const { message, sentence } = (value ?? {}) as Record<string, unknown>
  return typeof message === 'string' && typeof (sentence as { text?: unknown })?.text === 'string'
}

/** Return the ETag of an answer that is told in another language than English. Conditions do not tell it apart. */
export function etagOfTold(etag: string): string {
  return `${etag.slice(0, -1)}.told"`
}
