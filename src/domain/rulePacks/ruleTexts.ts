/** The texts of explanations: why a rule has assigned its tag, or has not judged. */
export const ruleTexts = {
  'rule-explained': { en: '{explanation}', de: '{explanation}' },
  'rule-not-judged': {
    en: 'Values that rules of this pack need are missing, so these rules have not judged the subject.',
    de: 'Werte, die Regeln dieses Pakets brauchen, fehlen. Diese Regeln haben also nicht geurteilt.',
  },
  'rule-open': {
    en: 'This rule was not evaluated, because {missing} {count:is|are} missing. Complete the record.',
    de: 'Diese Regel wurde nicht geprüft, weil {missing} {count:fehlt|fehlen}. Ergänzen Sie die Angaben.',
  },
  'rule-failed': {
    en: 'This rule could not be evaluated with the values of the record.',
    de: 'Diese Regel ließ sich mit den Werten des Datensatzes nicht prüfen.',
  },
} as const
