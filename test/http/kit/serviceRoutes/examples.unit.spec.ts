import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { answeredCodes } from '../../../../src/http/kit/routing/problemCodes.ts'
import examples from '../../../../src/http/kit/serviceRoutes/examples.json' with { type: 'json' }
import { declarationOf, type ProblemCode } from '../../../../src/problems/catalogue.ts'
import { type Example, withoutExample } from '../../../openapi/withoutExample.ts'
import { document, operations } from '../../../support/operations.ts'

/* The examples are real answers: `npm run examples` takes them again when one of these fails. */

const all = Object.entries<Example>(examples)
const routeOf = (operationId: string) => operations.find((route) => route.operationId === operationId)!
const answers = all.flatMap(([operationId, example]) =>
  Object.entries(example.answers).map(([status, answer]) => ({
    operationId,
    status: Number(status),
    answer,
  })),
)

/** A member that no schema names is dropped, so the comparison shows it. */
function expectToFit(schema: z.ZodType, value: unknown) {
  expect(schema.parse(value)).toEqual(value)
}

it('every operation has an example of its body, and of an answer when it succeeds', () => {
  expect(withoutExample(operations, examples)).toEqual([])
})

describe('the example of a request', () => {
  it.each(all.filter(([, { request }]) => request !== undefined))(
    '%s is accepted',
    (operationId, { request }) => {
      const { body, lines } = routeOf(operationId)
      expect((body ?? lines!.schema).safeParse(request).error).toBeUndefined()
    },
  )
})

describe('the example of an answer', () => {
  it.each(answers.filter(({ status }) => status < 400))(
    '$operationId $status fits its schema',
    ({ operationId, status, answer }) => expectToFit(routeOf(operationId).responses[status]!.schema!, answer),
  )

  it.each(answers.filter(({ status }) => status >= 400))(
    '$operationId $status is a problem of the operation',
    ({ operationId, status, answer }) => {
      const { code, title, members } = answer as Record<string, string> & {
        code: ProblemCode
        members: never
      }
      expect(answeredCodes(routeOf(operationId))).toContain(code)
      expect(declarationOf(code)).toMatchObject({ status, title })
      expect(members).toBeUndefined()
    },
  )
})

it('the document has the examples at their operations', () => {
  const content = document.paths['/api/company/{companyId}/orders'].post
  expect(content.requestBody.content['application/json'].example).toEqual(examples.registerOrder.request)
  expect(content.responses[201].content['application/json'].example).toEqual(
    examples.registerOrder.answers[201],
  )
  const { responses } =
    document.paths['/api/company/{companyId}/millcert/certificates/{millCertificationId}'].get
  expect(responses[404].content['application/problem+json'].example).toEqual(
    examples.getCertificate.answers[404],
  )
})
