import { expect, it } from 'vitest'
import { routes } from '../../src/http/routes.ts'
import { endingsOf } from '../../src/portal/kit/fileTypes.ts'

/** People choose files by the endings of their names. */

it('knows an ending for each kind of file that the service takes', () => {
  const taken = routes.flatMap(({ file }) => file?.mediaTypes ?? [])
  expect(taken.length).toBeGreaterThan(0)
  expect(taken.filter((mediaType) => endingsOf([mediaType]).length === 0)).toEqual([])
})
