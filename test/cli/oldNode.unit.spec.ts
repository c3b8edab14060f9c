import { expect, it } from 'vitest'

// JavaScript, because an old Node runs no TypeScript.
const { faultOfNode } = await import(new URL('../../bin/oldNode.js', import.meta.url).href)

it.each([
  ['20.20.2', 'Node 20.20.2 is too old for this release, which needs 22.18 or later'],
  ['22.17.1', 'Node 22.17.1 is too old for this release, which needs 22.18 or later'],
  ['22.18.0', undefined],
  ['26.10.0', undefined],
])('says of Node %s: %s', (version, fault) => {
  expect(faultOfNode(version)?.split('\n')[0]).toBe(fault)
})
