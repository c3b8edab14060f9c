import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { registerCertificate } from '../../../src/commands/certificates/certificates.ts'
import { refusingDeceivingHeat } from '../../../src/commands/certificates/deceivingHeat.ts'
import { bareCertificate } from '../../domain/verdict/facts.ts'
import { context, createStage } from '../nodes.ts'

/** A heat number that only looks like one that other certificates have. */

const { execute } = createStage().node()
const companyId = randomUUID()
const [latin, cyrillic] = ['H 4712', '\u041d 4712']
const millCertificationId = randomUUID()

function register(certificateNumber: string, heatNumber: string, known: readonly string[]) {
  const command = registerCertificate(companyId, { certificateNumber, heatNumber }, bareCertificate)
  const spellings = known.map((one) => ({ heatNumber: one, millCertificationId }))
  return execute(
    refusingDeceivingHeat({ companyId, heatNumber }, command, async () => spellings),
    context,
  )
}

it('is refused on a new certificate, and the refusal names the other one', async () => {
  for (const [sent, other] of [
    [cyrillic, latin],
    [latin, cyrillic],
  ] as const)
    await expect(register('MC-1', sent, [other])).rejects.toMatchObject({
      code: 'looks-like-another',
      details: { other, millCertificationId },
    })
})

it('is accepted when a certificate has it in any spelling of its own script, or when nobody has it', async () => {
  expect((await register('MC-2', 'h  4712', [latin])).recorded).toHaveLength(1)
  expect((await register('MC-3', cyrillic, [latin, cyrillic])).recorded).toHaveLength(1)
  expect((await register('MC-4', cyrillic, [])).recorded).toHaveLength(1)
})

it('does not refuse a registration that is repeated', async () => {
  await register('MC-5', cyrillic, [])
  expect((await register('MC-5', cyrillic, [latin])).recorded).toStrictEqual([])
})
