import type { RulePackDocument } from '../../rulePacks/rulePack.ts'
import { plainRoute } from '../kit/routing/plainRoute.ts'
import { send } from '../kit/routing/respond.ts'
import { pagePolicy } from '../kit/serviceRoutes/htmlPage.ts'
import { limitsPage } from './limitsPage.ts'

/** `/docs/rule-packs`: the limits of the shipped packs as a page for anybody. */
export const limitsRoute = plainRoute({
  path: '/docs/rule-packs',
  operationId: 'getRulePackLimits',
  summary: 'Read every limit of the shipped rule packs as a page',
  tag: 'Rule packs',
  access: 'open',
  responses: { 200: { description: 'An HTML page.', mediaType: 'text/html' } },
  answer: async ({ res }, { rules }) => {
    const documents = rules.packs.map(({ rulePackId }) => rules.documentOf(rulePackId) as RulePackDocument)
    await send(res, {
      status: 200,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': pagePolicy,
        'Cache-Control': 'no-cache',
      },
      body: Buffer.from(limitsPage(documents)),
    })
  },
})
