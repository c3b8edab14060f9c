import { expect, it } from 'vitest'
import type { z } from 'zod'
import { problemText, problemTexts } from '../../src/portal/texts/problemTexts.ts'
import { declarationOf, problemCodes } from '../../src/problems/catalogue.ts'
import { unreadableReasons } from '../../src/problems/faults.ts'

const problem = (code: string) => ({ code, title: 'English', detail: 'English.' })

it.each(problemCodes)('says in German what %s means and what to do', (code) => {
  const text = problemText(problem(code))
  expect(text).toMatch(/\.$/)
  expect(text).not.toContain('English')
})

it.each(Object.entries(problemTexts))(
  'fills the text of %s with members that the problem has',
  (code, text) => {
    const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const { members } = declarationOf(code as keyof typeof problemTexts)
    expect(Object.keys((members as z.ZodObject | undefined)?.shape ?? {})).toEqual(
      expect.arrayContaining(names),
    )
  },
)

it.each(unreadableReasons)('says in German why a file is unreadable: %s', (reason) => {
  const text = problemText({ ...problem('import-unreadable'), reason })
  expect(text).toMatch(/\. Keine Zeile daraus wurde übernommen\.$/)
  expect(text).not.toContain(reason)
})

it('writes statuses, numbers and lists as German does', () => {
  expect(problemText({ ...problem('bar-not-started'), state: 'Draft' })).toContain('Status ist Entwurf.')
  expect(problemText({ ...problem('company-too-large'), limit: 50_000_000 })).toContain(
    '50\u00a0000\u00a0000 Bytes',
  )
  expect(problemText({ ...problem('line-item-in-use'), lineNumbers: [10, 20] })).toContain('10, 20')
})
