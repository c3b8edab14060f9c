import { afterAll, beforeAll, expect, it } from 'vitest'
import { readExamples } from '../../src/cli/demo/examples.ts'
import { loadRulePacks } from '../../src/rulePacks/load.ts'
import { startTestService, type TestService } from '../support/testService.ts'

/** A company that subscribed when the packs had one version each, and this release, which ships later ones. */

const packs = await loadRulePacks()
const first = packs.filter(({ document }) => document.version === 1)
const changed = [
  'completeness',
  'en10025-2-chemistry',
  'en10025-2-mechanical',
  'en1090-2-inspection-documents',
]

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  const older = await service.startAnother({ HEATMARK_ROLES: 'http' }, first)
  for (const id of changed)
    expect(
      (await service.send('admin', 'POST', `rule-packs/${id}/subscribe`, { at: older.url })).body,
    ).toMatchObject({ version: 1, subscribedVersion: 1 })
  await older.stop()
  const { certificates, orders } = readExamples()
  for (const body of certificates)
    expect((await service.send('planner', 'POST', 'millcert/certificates', { body })).status).toBe(201)
  for (const body of orders)
    expect((await service.send('planner', 'POST', 'orders', { body })).status).toBe(201)
})
afterAll(() => service?.stop())
const send = (...asked: Parameters<TestService['send']>) => service.send(...asked)

const gained = (label: string, tag: string) => `+ ${label}: ${tag}`
const lost = (label: string, tag: string) => `- ${label}: ${tag}`

interface Change {
  readonly subjectLabel: string
  readonly tag: { readonly name: string }
}

it.each([
  ['completeness', [lost('TR-88302-26', 'Certificate incomplete')]],
  [
    'en10025-2-chemistry',
    [
      ...['AB-2026-00702', 'HJ/2026/3466', 'HJ/2026/3470'].map((label) => gained(label, 'Not judged')),
      gained('MS-26-0288', 'Chemistry above EN 10025-2'),
      gained('MS-26-0301', 'Carbon equivalent too high'),
    ],
  ],
  [
    'en10025-2-mechanical',
    ['AB-2026-00715', 'HJ/2026/3466', 'LV 26/1390'].map((label) => gained(label, 'Not judged')),
  ],
  [
    'en1090-2-inspection-documents',
    [
      gained('W26.04490', 'Inspection document too low'),
      lost('SO-2614', 'Required document to be judged'),
      lost('W26.04490', 'Inspection document to be judged'),
    ],
  ],
] as const)('sees in a preview of %s how an upgrade changes the tags of the demo', async (id, expected) => {
  const { gains, losses } = (await send('admin', 'POST', `rule-packs/${id}/preview`)).body
  const lines = [
    ...gains.map(({ subjectLabel, tag }: Change) => gained(subjectLabel, tag.name)),
    ...losses.map(({ subjectLabel, tag }: Change) => lost(subjectLabel, tag.name)),
  ]
  expect(lines.sort()).toEqual(expected)
})

it('stays with version 1, which judges whatever is registered and corrected', async () => {
  const certificates = (await send('viewer', 'GET', 'millcert/certificates')).body
  const { millCertificationId: id } = certificates.find(
    ({ certificateNumber }: { certificateNumber: string }) => certificateNumber === 'MS-26-0288',
  )
  const tagsOf = async () =>
    (await send('viewer', 'GET', `millcert/certificates/${id}`)).body.tags.map(
      ({ name }: { name: string }) => name,
    )
  const before = await tagsOf()
  expect(before).toContain('Chemistry to be judged')
  expect(before).not.toContain('Chemistry above EN 10025-2')

  const chemistry = { C: 0.1, Si: 0.2, Mn: 0.9, P: 0.01, S: 0.01, Cr: 0, Mo: 0, V: 0, Ni: 0, Cu: 0 }
  const correct = (change: object) =>
    send('planner', 'PATCH', `millcert/certificates/${id}`, {
      body: change,
      headers: { 'content-type': 'application/merge-patch+json' },
    })
  expect((await correct({ chemistry })).status).toBe(200)
  expect(await tagsOf()).not.toContain('Chemistry to be judged')
  // Version 2 blocks this. Version 1 leaves it to a person, because sources differ about the limit.
  expect((await correct({ chemistry: { ...chemistry, Cu: 0.62 } })).status).toBe(200)
  expect(await tagsOf()).toContain('Chemistry to be judged')
  expect(await tagsOf()).not.toContain('Chemistry above EN 10025-2')
  const why = (await send('viewer', 'GET', `millcert-tags/assignments/${id}/explanations`)).body
  expect(new Set(why.map((one: { rulePackVersion: number }) => one.rulePackVersion))).toEqual(new Set([1]))

  const catalogue = (await send('viewer', 'GET', 'rule-packs')).body
  for (const pack of catalogue.filter(({ rulePackId }: { rulePackId: string }) =>
    changed.includes(rulePackId),
  ))
    expect(pack).toMatchObject({ subscribed: true, subscribedVersion: 1 })
  expect(await service.notReady()).toEqual([])
})
