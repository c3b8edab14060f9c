import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { storeDocument } from '../../../src/commands/documents/documents.ts'
import { runWorkflow } from '../../../src/commands/executor/workflow.ts'
import { type DocumentFacts, documentIdOf } from '../../../src/domain/documents/document.ts'
import { context, createStage } from '../nodes.ts'

it('keeps the object of a new file, and drops that of a file which the company has', async () => {
  const companyId = randomUUID()
  const node = createStage().node()
  const sha256 = 'ab'.repeat(32)
  const upload = async () => {
    const did: string[] = []
    const object = { keep: async () => void did.push('keep'), drop: async () => void did.push('drop') }
    const facts: DocumentFacts = {
      companyId,
      documentId: documentIdOf(companyId, sha256),
      uploadId: randomUUID(),
      sha256,
      bytes: 9,
      mediaType: 'application/pdf',
      fileName: 'MC.pdf',
    }
    const workflow = storeDocument(facts, object)
    const { recorded } = await runWorkflow(workflow, { ...node, newId: randomUUID }, context)
    return { recorded, did }
  }
  expect(await upload()).toEqual({ recorded: ['DocumentStored'], did: ['keep'] })
  expect(await upload()).toEqual({ recorded: [], did: ['keep', 'drop'] })
})
