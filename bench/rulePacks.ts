import { readExamples } from '../src/cli/demo/examples.ts'
import type { RuleSubject } from '../src/domain/rulePacks/ruleBook.ts'
import { evaluateRulePack } from '../src/rulePacks/evaluate.ts'
import { loadRulePacks } from '../src/rulePacks/load.ts'
import { type Figure, median } from './report.ts'

/** Measures the evaluation of the newest version of every rule pack for one subject, which a registration includes, in µs. */

const runs = 20
const evaluationsARun = 200

export async function rulePacks(): Promise<Figure[]> {
  const shipped = await loadRulePacks()
  const packs = [...new Map(shipped.map((pack) => [pack.document.id, pack])).values()]
  const { certificates } = readExamples()
  const contents = certificates as unknown as Extract<RuleSubject, { family: 'millCert' }>['content'][]
  const complete = contents.find(({ chemistry, mechanical }) => chemistry && mechanical)!
  const bare = contents.find(({ chemistry, mechanical }) => !chemistry && !mechanical)!

  const microseconds = (content: (typeof contents)[number]): number => {
    const evaluate = () => {
      // All packs of a company judge one subject.
      const subject: RuleSubject = { family: 'millCert', content }
      for (const pack of packs) evaluateRulePack(pack, subject)
    }
    const measured = Array.from({ length: runs }, () => {
      const started = performance.now()
      for (let count = 0; count < evaluationsARun; count += 1) evaluate()
      return ((performance.now() - started) / evaluationsARun) * 1_000
    })
    return median(measured)
  }

  const rules = packs.flatMap(({ document }) => document.rules).filter(({ family }) => family === 'millCert')
  const figure = (what: string, value: number): Figure => ({
    section: 'rule packs',
    what: `${what}: ${packs.length} packs, ${rules.length} rules`,
    value,
    unit: 'µs',
  })
  return [
    figure('a certificate with all values', microseconds(complete)),
    figure('a certificate without chemistry and mechanical values', microseconds(bare)),
  ]
}
