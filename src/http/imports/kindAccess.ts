import { forbidden } from '../../domain/kernel/refusal.ts'
import type { ImportKind } from '../../imports/read.ts'
import { mayOf } from '../kit/routing/qualityOf.ts'
import type { Exchange } from '../kit/routing/route.ts'

/** Certificates are imported by those who register them, orders and plans by those who plan. @throws Refusal 403 */
export async function requireKind({ principal, params }: Exchange, kind: ImportKind): Promise<void> {
  if (kind === 'certificates') return
  if (!(await mayOf(principal!, params.companyId!, 'plan')())) throw forbidden()
}
