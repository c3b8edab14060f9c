import { expect, it } from 'vitest'
import { pageOf } from './page.ts'
import { packs } from './shipped.ts'

it('docs/rule-packs.md lists every limit of the shipped packs', async () => {
  await expect(pageOf(packs)).toMatchFileSnapshot('../../docs/rule-packs.md')
})
