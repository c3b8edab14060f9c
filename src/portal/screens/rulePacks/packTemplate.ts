/** The text that a new rule pack begins with: one tag and one rule, which show every member that a pack needs. */
export const packTemplate = JSON.stringify(
  {
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
    ],
    rules: [
      {
        ruleId: 'thick',
        family: 'millCert',
        when: 'certificate.thicknessMm > 80.0',
        tag: 'thick',
        clause: 'House rule 1',
        explanation: 'It is {certificate.thicknessMm} mm thick.',
      },
    ],
  },
  null,
  2,
)
