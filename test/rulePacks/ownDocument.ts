import type { PackContent } from '../../src/rulePacks/rulePack.ts'

/** A rule pack as a company writes it: one tag and one rule for each family. */
export const ownDocument = {
  id: 'house-limits',
  name: 'House limits',
  tags: [
    {
      key: 'thick',
      family: 'millCert',
      name: 'Thicker than we cut',
      color: '#aa3300',
      severity: 'Block',
      description: 'Our saw takes 80 mm.',
    },
    {
      key: 'long',
      family: 'order',
      name: 'Longer than we load',
      color: '#aa3300',
      severity: 'Flag',
      description: 'Our lorry takes 12 m.',
    },
  ],
  tables: { sawMm: { about: 'Our saw, mm', values: 80 } },
  definitions: [
    {
      name: 'isThick',
      family: 'millCert',
      about: 'Whether it is too thick.',
      expression: 'certificate.thicknessMm > sawMm',
    },
  ],
  rules: [
    {
      ruleId: 'thick',
      family: 'millCert',
      when: 'isThick',
      tag: 'thick',
      clause: 'House rule 1',
      explanation: 'It is {certificate.thicknessMm} mm thick.',
    },
    {
      ruleId: 'long',
      family: 'order',
      tag: 'long',
      clause: 'House rule 2',
      explanation: 'A line is long.',
      when: 'order.lineItems.exists(line, line.lengthMm > 12000.0)',
    },
  ],
} as const satisfies PackContent

/**
 * A pack that takes seconds for an order of 500 lines without a grade. The checks would have refused it for its steps:
 * the thread must end it by the time limit.
 */
export const slowDocument: PackContent = {
  ...ownDocument,
  id: 'slow',
  rules: [
    ownDocument.rules[0],
    ...Array.from({ length: 500 }, (_, n) => ({
      ...ownDocument.rules[1],
      ruleId: `slow-${n}`,
      when: `order.lineItems.exists(line, ${Array(15).fill('line.grade == ""').join(' || ')})`,
    })),
  ],
}
