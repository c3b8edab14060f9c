import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createTag } from '../../../src/commands/tags/tags.ts'
import { catalogueStream } from '../../../src/domain/tags/tagCatalogue.ts'
import { tagContent } from '../../domain/verdict/facts.ts'
import { own } from '../../support/own.ts'
import { startProxy } from '../../support/proxy.ts'
import { impatient, startStore } from '../../support/store.ts'
import { connectNode, context, eventsOf, refusalOf } from '../nodes.ts'

/* The store is spoilt here: a local node in any case. */

const node = await own(startStore())
const proxy = await own(startProxy(node.url))
const through = await own(connectNode(impatient(proxy.url)))

it('ends a command when the store is connected but silent', async () => {
  const companyId = randomUUID()
  const create = (name: string, company = companyId) => createTag(company, 'millCert', tagContent({ name }))
  await through.execute(create('Hold'), context)

  proxy.hold()
  const appended = through.execute(create('Retest'), context)
  expect(await refusalOf(through.execute(create('Hold', randomUUID()), context))).toBe('store-unavailable')
  // When the store goes on, it sends its late answer, and the retry is the same append.
  proxy.resume()
  expect(await appended).toMatchObject({ body: { name: 'Retest' }, etag: 1 })
  expect(await eventsOf(through.store, catalogueStream(companyId))).toHaveLength(2)
})
