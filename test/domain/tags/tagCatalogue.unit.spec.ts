import { describe, expect, it } from 'vitest'
import type { TagEvent } from '../../../src/domain/tags/catalogueEvents.ts'
import { type TagContent, tagNameKey } from '../../../src/domain/tags/tag.ts'
import type { Tag, TagCatalogue } from '../../../src/domain/tags/tagCatalogue.ts'
import {
  createTag,
  findTag,
  maxTags,
  restoreTag,
  softDeleteTag,
  tagCatalogue,
  updateTag,
} from '../../../src/domain/tags/tagCatalogue.ts'
import { alice, bob, companyId, given, id, timeOf } from '../../support/given.ts'
import { tagContent, tagCreated, tagRestored, tagSoftDeleted } from '../verdict/facts.ts'

const [hold, retest, other] = [id(101), id(102), id(103)]
const ref = { companyId, family: 'millCert', tagId: hold } as const
function create(content: TagContent) {
  return (state: TagCatalogue, context: Parameters<typeof createTag>[2]) =>
    createTag(state, { companyId, family: 'millCert', content }, context)
}

function tagOf(state: TagCatalogue): Tag {
  return state.tags.get(hold)!
}

function update(content: TagContent) {
  return (state: TagCatalogue) => updateTag(state, tagOf(state), content)
}

function softDelete(state: TagCatalogue) {
  return softDeleteTag(tagOf(state))
}

function restore(state: TagCatalogue) {
  return restoreTag(tagOf(state))
}

describe('creating a tag', () => {
  it('records an active company tag under a new id', () =>
    given(tagCatalogue)
      .when(create(tagContent({ description: 'Not to be cut', severity: 'Block' })))
      .records(tagCreated(id(1), { description: 'Not to be cut', severity: 'Block' })))

  it('is refused when an active tag holds the name, in any spelling', () => {
    for (const name of ['Hold', 'HOLD', '  hold ', 'Ｈｏｌｄ'])
      given(tagCatalogue, tagCreated(hold))
        .when(create(tagContent({ name })))
        .refuses('tag-name-taken', { tagId: hold })
  })

  it('is refused when a name looks like that of a tag, active or deleted', () => {
    for (const events of [[tagCreated(hold)], [tagCreated(hold), tagSoftDeleted(hold)]])
      given(tagCatalogue, ...events)
        .when(create(tagContent({ name: 'Hоld' })))
        .refuses('looks-like-another', { other: 'Hold', tagId: hold })
  })

  it('is refused when a soft-deleted tag holds the name', () =>
    given(tagCatalogue, tagCreated(hold), tagSoftDeleted(hold))
      .when(create(tagContent({ name: 'hold' })))
      .refuses('tag-name-soft-deleted', { tagId: hold }))

  it('accepts a name of the other family, and one that a rename has freed', () => {
    const renamed = { ...tagContent({ name: 'Quarantine' }), changes: [] }
    given(tagCatalogue, tagCreated(other, { family: 'order' }), tagCreated(hold), {
      type: 'TagUpdated',
      data: { ...ref, ...renamed },
    })
      .when(create(tagContent()))
      .records(tagCreated(id(1)))
  })

  it('is refused at the maximum of tags in its family, deleted ones included', () => {
    const many: TagEvent[] = Array.from({ length: maxTags }, (_, n) =>
      tagCreated(id(1_000 + n), { name: `Tag ${n}` }),
    )
    const full = given(tagCatalogue, ...many, tagSoftDeleted(id(1_000), 'Tag 0'))
    full.when(create(tagContent())).refuses('too-many-tags')
    full.when(create(tagContent({ name: 'Tag 0' }))).refuses('tag-name-soft-deleted', { tagId: id(1_000) })
    full
      .when((state, context) =>
        createTag(state, { companyId, family: 'order', content: tagContent() }, context),
      )
      .records(tagCreated(id(1), { family: 'order' }))
  })
})

describe('updating a tag', () => {
  it('replaces all four fields and says which changed', () =>
    given(tagCatalogue, tagCreated(hold, { severity: 'Flag' }))
      .when(update(tagContent({ name: 'Quarantine', description: 'Aside' })))
      .records({
        type: 'TagUpdated',
        data: {
          ...ref,
          ...tagContent({ name: 'Quarantine', description: 'Aside' }),
          changes: [
            { field: 'name', from: 'Hold', to: 'Quarantine' },
            { field: 'description', from: null, to: 'Aside' },
            { field: 'severity', from: 'Flag', to: null },
          ],
        },
      }))

  it('records nothing when nothing changes', () =>
    given(tagCatalogue, tagCreated(hold)).when(update(tagContent())).recordsNothing())

  it('accepts another spelling of its own name', () =>
    given(tagCatalogue, tagCreated(hold))
      .when(update(tagContent({ name: 'HOLD' })))
      .records({
        type: 'TagUpdated',
        data: {
          ...ref,
          ...tagContent({ name: 'HOLD' }),
          changes: [{ field: 'name', from: 'Hold', to: 'HOLD' }],
        },
      }))

  it("is refused for another tag's name, active or soft-deleted", () => {
    const two = [tagCreated(hold), tagCreated(retest, { name: 'Retest' })]
    const rename = update(tagContent({ name: 'reTest' }))
    given(tagCatalogue, ...two)
      .when(rename)
      .refuses('tag-name-taken', { tagId: retest })
    given(tagCatalogue, ...two, tagSoftDeleted(retest, 'Retest'))
      .when(rename)
      .refuses('tag-name-soft-deleted', { tagId: retest })
  })

  it('is refused for a deleted tag, changed or not', () => {
    const deleted = given(tagCatalogue, tagCreated(hold), tagSoftDeleted(hold))
    deleted.when(update(tagContent())).refuses('tag-deleted')
    deleted.when(update(tagContent({ name: 'Other' }))).refuses('tag-deleted')
  })
})

describe('soft-deleting and restoring a tag', () => {
  it('records each once', () => {
    given(tagCatalogue, tagCreated(hold)).when(softDelete).records(tagSoftDeleted(hold))
    given(tagCatalogue, tagCreated(hold), tagSoftDeleted(hold)).when(softDelete).recordsNothing()
    given(tagCatalogue, tagCreated(hold), tagSoftDeleted(hold)).when(restore).records(tagRestored(hold))
    given(tagCatalogue, tagCreated(hold)).when(restore).recordsNothing()
    given(tagCatalogue, tagCreated(hold), tagSoftDeleted(hold), tagRestored(hold))
      .when(restore)
      .recordsNothing()
  })
})

it('never changes a system tag', () => {
  const system = given(tagCatalogue, tagCreated(hold, { isSystemTag: true }))
  const deleted = given(tagCatalogue, tagCreated(hold, { isSystemTag: true }), tagSoftDeleted(hold))
  system.when(update(tagContent())).refuses('system-tag-read-only')
  deleted.when(update(tagContent())).refuses('system-tag-read-only')
  system.when(softDelete).refuses('system-tag-read-only')
  deleted.when(softDelete).refuses('system-tag-read-only')
  system.when(restore).refuses('system-tag-read-only')
  deleted.when(restore).refuses('system-tag-read-only')
})

describe('the state', () => {
  it('has the last editor of a tag, and the revision of its own last event', () => {
    const { state } = given(
      tagCatalogue,
      tagCreated(hold),
      { ...tagCreated(retest, { name: 'Retest' }), metadata: { actor: bob } },
      { ...tagSoftDeleted(hold), metadata: { actor: bob } },
      tagCreated(other, { name: 'Other' }),
    )
    expect(state.tags.get(hold)).toStrictEqual({
      ...ref,
      ...tagContent(),
      active: false,
      isSystemTag: false,
      lastModifiedBy: bob.id,
      createdAt: timeOf(0),
      updatedAt: timeOf(2),
      revision: 2,
    })
    expect(state.tags.get(other)).toMatchObject({ active: true, lastModifiedBy: alice.id, revision: 3 })
    expect(state.count).toStrictEqual({ millCert: 3, order: 0 })
  })

  it('finds a tag only in its own family', () => {
    const { state } = given(tagCatalogue, tagCreated(hold))
    expect(findTag(state, 'millCert', hold)).toMatchObject({ tagId: hold })
    expect(findTag(state, 'order', hold)).toBeUndefined()
    expect(findTag(state, 'millCert', retest)).toBeUndefined()
  })

  it('ignores events that it cannot place, and unknown fields', () => {
    const unknown = { type: 'TagPainted', data: { tagId: hold } } as unknown as TagEvent
    const richer = {
      type: 'TagCreated',
      data: { ...tagCreated(hold).data, shape: 'round' },
    } as unknown as TagEvent
    const { state } = given(tagCatalogue, tagRestored(retest), unknown, richer)
    expect(state.tags.size).toBe(1)
    expect(state.tags.get(hold)).not.toHaveProperty('shape')
  })
})

it('compares names without case, width, compatibility forms and extra white space', () => {
  const spellings = [
    ['Straße', 'STRASSE', 'straẞe'],
    ['Änderung', 'A\u0308NDERUNG', ' änderung '],
    ['EN 10025', 'en\u00a010025', 'EN \t 10025'],
    ['İ', 'i̇'],
    ['ΐ', '\u0399\u0308\u0301'],
    ['Prüf ①', 'prüf 1'],
  ]
  for (const [first, ...others] of spellings)
    for (const spelling of others) expect(tagNameKey(spelling)).toBe(tagNameKey(first!))
  expect(new Set(spellings.map(([first]) => tagNameKey(first!))).size).toBe(spellings.length)
})
