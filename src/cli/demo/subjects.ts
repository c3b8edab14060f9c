import { type Caller, countNew, loadEach } from './caller.ts'
import type { ExampleCertificate, Examples } from './examples.ts'

export type RegisteredOrder = {
  readonly orderId: string
  readonly lineItems: readonly {
    readonly lineItemId: string
    readonly lineNumber: number
    readonly status: string
  }[]
}

/** The registered examples, by the numbers that the examples use. */
export type Subjects = {
  readonly certificateIds: ReadonlyMap<string, string>
  readonly orders: ReadonlyMap<string, RegisteredOrder>
}

export function certificateKey(c: Partial<ExampleCertificate>): string {
  return `${c.certificateNumber} ${c.heatNumber}`
}

/** Register the certificates and orders. A subject that exists already is not changed. */
export async function loadSubjects(
  caller: Caller,
  examples: Pick<Examples, 'certificates' | 'orders'>,
): Promise<Subjects> {
  const { company, planner } = caller
  const register = async <Registered>(path: string, example: unknown) => {
    const { status, body } = await planner<Registered>('POST', `${company}/${path}`, example)
    return { isNew: status === 201, body }
  }

  const certificates = await loadEach(
    caller,
    'certificates',
    examples.certificates,
    async (example) => ({
      key: certificateKey(example),
      ...(await register<{ millCertificationId: string }>('millcert/certificates', example)),
    }),
    countNew,
  )
  const orders = await loadEach(
    caller,
    'orders',
    examples.orders,
    async (example) => ({
      key: example.orderNumber,
      ...(await register<RegisteredOrder>('orders', example)),
    }),
    countNew,
  )
  return {
    certificateIds: new Map(certificates.map(({ key, body }) => [key, body.millCertificationId])),
    orders: new Map(orders.map(({ key, body }) => [key, body])),
  }
}
