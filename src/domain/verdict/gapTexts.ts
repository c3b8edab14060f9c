/** The texts of gaps: why pieces of an order cannot be handed over with all their papers yet. */
export const gapTexts = {
  'gap-short': {
    en: '{pieces} shorter than {length} mm: bar {bar} of plan "{plan}".',
    de: '{pieces} kürzer als {length} mm: Stab {bar} des Plans „{plan}“.',
  },
  'gap-pieces': {
    en: 'Pieces with an Accepted cut of this length: {whole} of {quantity}.',
    de: 'Teile mit einem angenommenen Schnitt dieser Länge: {whole} von {quantity}.',
  },
  'gap-completed': {
    en: 'The line is Completed all the same, because each of its Accepted cuts is on a Completed bar.',
    de: 'Die Position ist trotzdem fertig, weil jeder ihrer angenommenen Schnitte auf einem fertigen Stab liegt.',
  },
  'gap-unfinished': {
    en: '{pieces} on bar {bar} of plan "{plan}", which is {status}, not Completed.',
    de: '{pieces} auf Stab {bar} des Plans „{plan}“. Er hat den Status {status}, nicht Fertig.',
  },
  'gap-held': {
    en: '{pieces} held: bar {bar} of plan "{plan}" was completed in spite of a Block.',
    de: '{pieces} zurückgehalten: Stab {bar} des Plans „{plan}“ wurde trotz einer Sperre abgeschlossen.',
  },
  'gap-certificate': {
    en: 'Bar {bar} of plan "{plan}" has no mill certificate.',
    de: 'Stab {bar} des Plans „{plan}“ hat kein Zeugnis.',
  },
  'gap-unseen': {
    en: '{count} of these pieces cannot be judged yet. Try again in a moment.',
    de: '{count} dieser Teile lassen sich noch nicht beurteilen. Versuchen Sie es gleich noch einmal.',
  },
  'pieces-are': { en: '{count} {count:piece is|pieces are}', de: '{count} {count:Teil ist|Teile sind}' },
  Draft: { en: 'Draft', de: 'Entwurf' },
  Approved: { en: 'Approved', de: 'Genehmigt' },
  Started: { en: 'Started', de: 'Begonnen' },
  Completed: { en: 'Completed', de: 'Fertig' },
  Cancelled: { en: 'Cancelled', de: 'Storniert' },
} as const
