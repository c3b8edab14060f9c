import { tellVerdict, verifyAt, WrongExport } from '../../../../examples/verify/verifyExport.ts'
import type { Output } from '../output.ts'

/** Check an export, and print the verdict. Return false when something is wrong. */
export async function auditExport(
  path: string,
  trusted: Readonly<Partial<Record<'checkpoint' | 'keys' | 'tsa', readonly string[]>>>,
  output: Output,
): Promise<boolean> {
  try {
    const { checkpoint: checkpoints = [], keys, tsa } = trusted
    const verdict = await verifyAt(path, { checkpoints, keys, tsa })
    output.record({ ...verdict }, tellVerdict(verdict))
    return true
  } catch (error) {
    if (!(error instanceof WrongExport)) throw error
    output.record({ wrong: error.message }, error.message)
    return false
  }
}
