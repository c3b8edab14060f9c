import { addressOf, type Input, type OperationId, send } from './client.ts'
import { operations } from './generated.ts'
import { ApiProblem } from './problem.ts'

/** Files that a page shows, and files that the browser saves. */

interface FileInput {
  readonly params?: Record<string, string>
  readonly query?: Record<string, unknown>
  readonly signal?: AbortSignal
}

/**
 * Read a file that the page shows.
 * @throws ApiProblem, NoConnection
 */
export async function fetchFile<Id extends OperationId>(id: Id, input: Input<Id>): Promise<Blob> {
  const { params, query, signal } = input as FileInput
  const response = await send(addressOf(operations[id].path, params, query), {
    headers: { Accept: '*/*' },
    ...(signal && { signal }),
  })
  return response.blob()
}

export interface Download<Id extends OperationId> {
  readonly input: Input<Id>
  readonly accept?: string
  /** The name of the file, if the service gives none. */
  readonly name?: string
}

/**
 * Let the browser save a file. The browser writes it to the disk while it arrives, so the file may be larger than the
 * memory. The page learns nothing from a link that is refused, so it asks first whether the service would answer.
 * @throws ApiProblem, NoConnection
 */
export async function saveFile<Id extends OperationId>(
  id: Id,
  { input, accept = '*/*', name = '' }: Download<Id>,
): Promise<void> {
  const { params, query } = input as FileInput
  const { path } = operations[id]
  const address = addressOf(path, params, query)
  const headers = { Accept: accept }
  try {
    await send(address, { method: 'HEAD', headers })
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    // An answer to HEAD has no body, so the problem document is in the answer to GET.
    const { body } = await send(address, { headers })
    await body?.cancel()
  }
  const href = `/portal/download${addressOf(path, params, { ...query, accept })}`
  Object.assign(document.createElement('a'), { href, download: name }).click()
}
