import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'

/**
 * The main path of a program that takes its types from openapi-typescript. It has no cast: the spec beside this folder
 * checks it against the document of a running service, and runs it there.
 */

export async function walk(baseUrl: string, companyId: string, token: string) {
  const client = createClient<paths, 'application/json' | 'application/problem+json'>({
    baseUrl,
    headers: { authorization: `Bearer ${token}` },
  })
  const path = { companyId }

  const certificates = '/api/company/{companyId}/millcert/certificates'
  const register = async (certificateNumber: string) =>
    taken(
      await client.POST(certificates, {
        params: { path },
        body: { certificateNumber, heatNumber: 'H 1', grade: 'S355J2', inspectionDocument: '3.1' },
      }),
    )
  const { millCertificationId } = await register('C 1')
  await register('C 2')
  const certificateNumbers: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.GET(certificates, {
      params: { path, query: { limit: 1, ...(cursor && { cursor }) } },
    })
    certificateNumbers.push(...taken(page).map(({ certificateNumber }) => certificateNumber))
    const next = /<([^>]+)>; rel="next"/.exec(page.response.headers.get('link') ?? '')?.[1]
    cursor = (next && new URL(next, baseUrl).searchParams.get('cursor')) || undefined
  } while (cursor)

  const { orderId, lineItems } = taken(
    await client.POST('/api/company/{companyId}/orders', {
      params: { path },
      body: { orderNumber: 'SO 1', lineItems: [{ lineNumber: 1, lengthMm: 1_000, quantity: 1 }] },
    }),
  )
  for (const { lineItemId, lengthMm } of lineItems) {
    taken(
      await client.POST('/api/company/{companyId}/production-plans', {
        params: { path },
        body: {
          name: 'Plan',
          bars: [
            {
              stockLengthMm: 6_000,
              grade: 'S355J2',
              millCertificationId,
              cuts: [{ orderId, lineItemId, lengthMm, status: 'Accepted' }],
            },
          ],
        },
      }),
    )
  }
  const bars = taken(
    await client.GET('/api/company/{companyId}/production-plan-bars', {
      params: { path, query: { status: ['Draft'], orderId, include: ['verdict'] } },
    }),
  )
  const approved = await Promise.all(
    bars.map(async ({ barId, verdict }) => {
      const answer = await client.POST('/api/company/{companyId}/production-plan-bars/{barId}/approve', {
        params: { path: { ...path, barId }, header: { Prefer: 'return=representation' } },
      })
      return { before: verdict?.mayBeApproved, after: taken(answer).status }
    }),
  )

  const order = '/api/company/{companyId}/orders/{orderId}'
  const etag = (await client.GET(order, { params: { path: { ...path, orderId } } })).response.headers.get(
    'etag',
  )
  const patch = () =>
    client.PATCH(order, {
      params: { path: { ...path, orderId }, ...(etag && { header: { 'If-Match': etag } }) },
      body: { customer: 'Bridge 7' },
    })
  const { customer } = taken(await patch())
  const { error: stale } = await patch()
  const { error: invalid } = await client.POST('/api/company/{companyId}/orders', {
    params: { path },
    body: { orderNumber: '', lineItems: [] },
  })
  const faults =
    invalid && 'errors' in invalid ? invalid.errors.map(({ path, code }) => ({ path, code })) : []
  return { certificateNumbers, approved, customer, stale: stale?.code, invalid: invalid?.code, faults }
}

function taken<Data>({ data, error }: { readonly data?: Data; readonly error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}
