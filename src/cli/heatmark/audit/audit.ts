import { readFileSync } from 'node:fs'
import {
  isCompanyExport,
  tellCompanyVerdict,
  verifyCompanyExport,
} from '../../../../examples/verify/verifyCompanyExport.ts'
import {
  openExport,
  tellVerdict,
  trustedIn,
  verifyExport,
  WrongExport,
} from '../../../../examples/verify/verifyExport.ts'
import { isPack, tellPack, verifyPack } from '../../../../examples/verify/verifyPack.ts'
import type { Output } from '../output.ts'

/**
 * Check an export of the history or of the whole company, or the pack of an order, and print the verdict.
 * Return false when something is wrong.
 */
export async function auditExport(
  path: string,
  trusted: Readonly<Partial<Record<'checkpoint' | 'keys' | 'tsa', readonly string[]>>>,
  output: Output,
): Promise<boolean> {
  try {
    const { checkpoint: checkpoints = [], keys, tsa } = trusted
    const files = openExport(path)
    if (isCompanyExport(files)) {
      const verdict = await verifyCompanyExport(files, trustedIn({ checkpoints, keys, tsa }))
      output.record({ ...verdict }, tellCompanyVerdict(verdict))
      return true
    }
    if (isPack(files)) {
      if (checkpoints.length > 0 || tsa)
        throw new Error('this is the pack of an order: --checkpoint and --tsa are for exports')
      const verdict = await verifyPack(
        files,
        keys?.map((file) => readFileSync(file, 'utf8')),
      )
      output.record({ ...verdict }, tellPack(verdict))
      return true
    }
    const verdict = await verifyExport(files, trustedIn({ checkpoints, keys, tsa }))
    output.record({ ...verdict }, tellVerdict(verdict))
    return true
  } catch (error) {
    if (!(error instanceof WrongExport)) throw error
    output.record({ wrong: error.message }, error.message)
    return false
  }
}
