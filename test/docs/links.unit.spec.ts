import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** The pages for people. A link is an address on the page of GitHub, so headings are anchors as GitHub makes them. */

const root = new URL('../../', import.meta.url)
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')

function anchorsOf(page: URL): string[] {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

it.each(pages)('%s links to files and headings that exist', (page) => {
  const here = new URL(page, root)
  const links = [...readFileSync(here, 'utf8').matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(
    ([, link]) => link!,
  )
  const broken = links.filter((link) => {
    const target = new URL(link, here)
    const anchor = target.hash.slice(1)
    target.hash = ''
    return !existsSync(target) || (anchor !== '' && !anchorsOf(target).includes(anchor))
  })
  expect(broken).toEqual([])
})
