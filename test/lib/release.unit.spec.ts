import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { findRelease, nameOf } from '../../src/lib/release.ts'

it('is the version of the package and the commit of the checkout', () => {
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' })
  expect(findRelease()).toEqual({ version: packageJson.version, commit: head.slice(0, 12) })
})

it('is named with its commit, where that is known', () => {
  expect(nameOf({ version: '1.0.0', commit: '28183cc0b7f5' })).toBe('1.0.0 (28183cc0b7f5)')
  expect(nameOf({ version: '1.0.0', commit: null })).toBe('1.0.0')
})
