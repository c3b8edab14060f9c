/** The authors that are no persons by name. The service names them in English. */
export const authorsInGerman: ReadonlyMap<string, string> = new Map([
  ['Approval review', 'Prüfung der Genehmigungen'],
  ['Rule packs', 'Regelpakete'],
  ['Operator at the command line', 'Betreiber an der Kommandozeile'],
  ['erased person', 'gelöschte Person'],
])

export function authorName(name: string, language: 'en' | 'de'): string {
  return language === 'de' ? (authorsInGerman.get(name) ?? name) : name
}
