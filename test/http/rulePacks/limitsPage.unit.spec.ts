import { describe, expect, it } from 'vitest'
import { limitsPage } from '../../../src/http/rulePacks/limitsPage.ts'
import { packs } from '../../rulePacks/shipped.ts'

const newest = [...new Map(packs.map(({ document }) => [document.id, document])).values()]
const page = limitsPage(newest)
const text = page
  .replace(/<[^>]*>/g, ' ')
  .replaceAll('&quot;', '"')
  .replaceAll('&amp;', '&')

describe('the page of the limits', () => {
  it.each(newest.map((document) => [document.id, document] as const))(
    'lists every table of %s with its meaning',
    (id, { tables = {}, covers, doesNotCover }) => {
      expect(page).toContain(`<code>${id}</code>`)
      for (const sentence of [...covers, ...doesNotCover])
        expect(text).toContain(sentence.slice(0, 40).split('`')[0])
      for (const [name, { about }] of Object.entries(tables)) {
        expect(page).toContain(`<code>${name}</code>`)
        expect(text).toContain(about.slice(0, 40).split('`')[0])
      }
    },
  )

  it('prints figures with the decimals of their step, and the confidence of one that differs', () => {
    expect(page).toContain('<td>C 0.22, S 0.050, P 0.050, N 0.012, Cu 0.80, CEV 0.50</td><td>A</td>')
    expect(page).toContain('ratioSingle 1.01 (C), agtSingle 0.8 (C)</td><td>B</td>')
  })

  it('names the bands of thickness by their ends, and joins rows with the same figures', () => {
    expect(page).toMatch(/<th>≤ 16 mm<\/th><th>≤ 40 mm<\/th>/)
    expect(page).toMatch(/<td>N, M<\/td><td>40<\/td>/)
  })
})
