import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { isUserId } from '../../domain/kernel/identifiers.ts'

/** Read the arguments and options of the command. @throws InvalidArgumentError that says what a value must be */

export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

export function someText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  return text
}

export function reasonText(text: string): string {
  const reason = someText(text).trim()
  if (reason.length > 500) throw new InvalidArgumentError('It must not be longer than 500 characters.')
  return reason
}

export function companyId(text: string): string {
  if (!z.guid().safeParse(text).success)
    throw new InvalidArgumentError('It must be the id of a company: a UUID.')
  return text.toLowerCase()
}

export function userId(text: string): string {
  if (!isUserId(text))
    throw new InvalidArgumentError('It must be 1 to 128 visible ASCII characters without "/".')
  return text
}
