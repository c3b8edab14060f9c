import { describe, expect, it } from 'vitest'
import { document } from '../support/operations.ts'
import { brokenPromises } from './apiChanges.ts'
import { changedFacts, findReleased, presentFacts } from './released.ts'

/* docs/releasing.md says what to do when one of these fails. */

const released = findReleased()

it.runIf(released.document)('serves the API that the last release promised', () => {
  expect(brokenPromises(released.document, document)).toEqual([])
})

it.runIf(released.facts)('has the events, migrations, rule packs and settings of the last release', () => {
  expect(changedFacts(released.facts!, presentFacts())).toEqual([])
})

it('finds a fact that has changed, and one that is missing', () => {
  const present = presentFacts()
  const { 'setting PORT': _, ...kept } = present
  const later = { ...kept, 'event TagCreated': 'other', 'event More': 'new' }
  expect(present).toHaveProperty('migration 1')
  expect(changedFacts(present, later)).toEqual(['event TagCreated has changed', 'setting PORT is missing'])
})

describe('a later API', () => {
  const tags = '/api/company/{companyId}/millcert-tags'
  // biome-ignore lint/suspicious/noExplicitAny: a JSON document.
  const broken = (change: (later: any, schemas: any) => void) => {
    const later = structuredClone(document)
    change(later, later.components.schemas)
    return brokenPromises(document, later)
  }

  it('breaks no promise where it only adds and widens', () => {
    const added = broken((later, { Tag, TagMembers, Severity }) => {
      later.paths['/api/more'] = { get: { operationId: 'more', responses: {} } }
      Tag.properties.more = { type: 'string' }
      Severity.enum.push('Watch')
      TagMembers.properties.more = { type: 'string' }
      TagMembers.properties.name.maxLength += 1
    })
    expect(added).toEqual([])
  })

  it('has every operation, under its name', () => {
    expect(broken(({ paths }) => delete paths[tags].post)).toEqual([`post ${tags} is missing`])
    const renamed = broken(({ paths }) => Object.assign(paths[tags].post, { operationId: 'addTag' }))
    expect(renamed).toEqual(['createMillCertTag is called addTag'])
  })

  it('takes every request', () => {
    const narrowed = broken(({ paths }, { TagContent, TagMembers, Severity }) => {
      TagContent.required.push('description')
      TagMembers.properties.name = { type: 'string', maxLength: 3 }
      delete TagMembers.properties.color
      Severity.enum.shift()
      paths[tags].get.parameters = []
    })
    for (const change of [
      'createMillCertTag body requires description',
      'createMillCertTag body.name has a narrower maxLength',
      'createMillCertTag body has no member color',
      'createMillCertTag body.severity does not take "Block"',
      'listMillCertTags does not take query limit',
    ])
      expect(narrowed).toContain(change)
  })

  it('has every member of an answer, with its type, and every problem code', () => {
    const changed = broken((_, { Tag }) => {
      delete Tag.properties.active
      Tag.properties.lastModifiedBy = { type: 'integer' }
      Tag.required = []
    })
    for (const change of [
      'createMillCertTag 200 has no member active',
      'createMillCertTag 200.lastModifiedBy is not of the type string',
      'createMillCertTag 200 may lack companyId',
    ])
      expect(changed).toContain(change)
    const renamed = JSON.parse(JSON.stringify(document).replaceAll('tag-name-taken', 'name-taken'))
    expect(brokenPromises(document, renamed)).toContain('the problem code tag-name-taken is missing')
  })
})
