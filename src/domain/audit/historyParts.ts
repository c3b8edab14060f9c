/** Parts of the sentences of a history in every language. */

type Text = Readonly<Record<'en' | 'de', string>>

export const historyParts = {
  reason: { en: ' Reason: {words}', de: ' Grund: {words}' },
  note: { en: ' Note: {words}', de: ' Bemerkung: {words}' },
  reference: { en: ' Reference: {words}', de: ' Referenz: {words}' },
  'more-fields': { en: '{fields} and {count} more', de: '{fields} und {count} weitere' },
  'release-taken-back': { en: ' Its release was taken back.', de: ' Seine Freigabe ist aufgehoben.' },
  'replaced-by': {
    en: ' and replaced by certificate {number}',
    de: ' und durch das Zeugnis {number} ersetzt',
  },
  'in-spite-of-blocks': {
    en: ' in spite of {count} Block {count:finding|findings}',
    de: ' trotz {count} {count:Sperre|Sperren}',
  },
  'not-cleared': {
    en: ', although the order was not cleared',
    de: ', obwohl der Auftrag nicht versandfrei war',
  },
  'pieces-not-cleared': {
    en: ', although the pieces were not cleared: {findings}{reason}{reference}',
    de: ', obwohl sie nicht versandfrei waren: {findings}{reason}{reference}',
  },
  gaps: {
    en: '{count} {count:gap|gaps} in their traceability.',
    de: '{count} {count:Lücke|Lücken} in ihrer Rückverfolgung.',
  },
  'mark-transferred': {
    en: ', and the mark of the heat was transferred',
    de: '; die Schmelze wurde auf Teile und Rest übertragen',
  },
  overrides: {
    en: '{count} {count:finding|findings}: {findings}{reason}{reference}',
    de: '{count} {count:Befund|Befunde}: {findings}{reason}{reference}',
  },
  judged: {
    en: ' ({counts}; verdict {verdict}, steel grades {steelGrades})',
    de: ' ({counts}; Urteil {verdict}, Stahlnamen {steelGrades})',
  },
  'no-findings': { en: 'no findings', de: 'keine Befunde' },
  Block: { en: 'Block', de: 'Sperre' },
  Flag: { en: 'Flag', de: 'Hinweis' },
  Audit: { en: 'Audit', de: 'Audit' },
  'count-of-Block': { en: '{count} {count:Block|Blocks}', de: '{count} {count:Sperre|Sperren}' },
  'count-of-Flag': { en: '{count} {count:Flag|Flags}', de: '{count} {count:Hinweis|Hinweise}' },
  'count-of-Audit': { en: '{count} {count:Audit|Audits}', de: '{count} {count:Audit|Audits}' },
  'tags-put-on': {
    en: 'the {count:tag|tags} {tags} {count:was|were} put on',
    de: '{count:der Tag|die Tags} {tags} {count:wurde|wurden} gesetzt',
  },
  'tags-taken-off': {
    en: 'the {count:tag|tags} {tags} {count:was|were} taken off',
    de: '{count:der Tag|die Tags} {tags} {count:wurde|wurden} abgenommen',
  },
  'tags-moved': { en: '{on}, and {off}', de: '{on}, und {off}' },
  'no-tags-moved': {
    en: 'no tag was put on or taken off',
    de: 'Kein Tag wurde gesetzt oder abgenommen',
  },
  quoted: { en: '"{name}"', de: '„{name}“' },
  'rules-not-evaluated': {
    en: ' {count} {count:rule|rules} could not be evaluated for want of values.',
    de: ' {count} {count:Regel ließ|Regeln ließen} sich nicht prüfen, weil Werte fehlen.',
  },
  Proposed: { en: 'Proposed', de: 'vorgeschlagen' },
  Accepted: { en: 'Accepted', de: 'angenommen' },
  Rejected: { en: 'Rejected', de: 'abgelehnt' },
  Scrapped: { en: 'Scrapped', de: 'verworfen' },
} as const satisfies Readonly<Record<string, Text>>
