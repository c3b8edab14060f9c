import { slotsFor } from '../../admission/kinds.ts'
import { createSlots } from '../../admission/slots.ts'
import type { SignedCheckpoint } from './signer.ts'

/** Sign a checkpoint for a caller, or let it share one that is being signed. */
interface SharedSigning {
  /**
   * @param isEnough whether a checkpoint that another caller has asked for covers what this one needs
   * @throws Refusal 503 `too-many-large-reads`; the errors of signing
   */
  sign(companyId: string, isEnough: (signed: SignedCheckpoint) => boolean): Promise<SignedCheckpoint>
}

/** At any time one checkpoint of a company is being signed, whatever the number of callers. */
export function createSharedSigning(
  signNow: (companyId: string) => Promise<SignedCheckpoint>,
): SharedSigning {
  const slots = createSlots(slotsFor.signing)
  const underWay = new Map<string, Promise<SignedCheckpoint>>()
  const begin = (companyId: string): Promise<SignedCheckpoint> => {
    const signing = slots.run(companyId, () => signNow(companyId)).finally(() => underWay.delete(companyId))
    underWay.set(companyId, signing)
    return signing
  }
  return {
    async sign(companyId, isEnough) {
      const running = underWay.get(companyId)
      if (!running) return begin(companyId)
      const shared = await running
      if (isEnough(shared)) return shared
      // It began to read too early. One that begins now covers everything that was recorded before.
      return underWay.get(companyId) ?? begin(companyId)
    },
  }
}
