import { expect, it } from 'vitest'
import { aggregates } from '../../../src/domain/aggregates.ts'
import { millCertificateKey } from '../../../src/domain/certificates/certificate.ts'
import { accountStream } from '../../../src/domain/company/account.ts'
import { companyOfStream } from '../../../src/domain/kernel/streams.ts'
import { companyId, id } from '../../support/given.ts'

it.each(aggregates.filter(({ name }) => name !== 'account'))(
  'tells the company of a stream of $name',
  ({ streamName }) => {
    expect(companyOfStream(streamName(companyId))).toBe(companyId)
    expect(companyOfStream(streamName(millCertificateKey(companyId, id(1))))).toBe(companyId)
  },
)

it('tells the company of a stream whose category only a newer release knows', () =>
  expect(companyOfStream(`releasePolicy-${companyId.toUpperCase()}`)).toBe(companyId))

it.each([
  accountStream(companyId),
  accountStream(`${companyId}_x`),
  'heatmark',
  `tags-${companyId}0`,
  `tags_${companyId}`,
  '$ce-tags',
])('tells no company of %s', (stream) => expect(companyOfStream(stream)).toBeUndefined())
