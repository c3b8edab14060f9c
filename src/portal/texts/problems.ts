import type { ProblemDocument } from '../api/client.ts'
import type { Language } from './texts.ts'

/** German titles of problem codes. The service gives the English ones itself. */
const german: Readonly<Record<string, string>> = {
  'validation-failed': 'Die Eingaben sind fehlerhaft',
  'precondition-failed': 'Der Datensatz wurde inzwischen geändert',
  'tag-name-taken': 'Ein Tag hat schon diesen Namen',
  'tag-name-soft-deleted': 'Ein gelöschter Tag hat diesen Namen',
  'tag-deleted': 'Der Tag ist gelöscht',
  'tag-not-found': 'Den Tag gibt es nicht',
  'system-tag-read-only': 'Der Tag gehört zu einem Regelpaket',
  'too-many-tags': 'Die Firma hat zu viele Tags',
  'too-many-manual-tags': 'Der Datensatz hat zu viele Tags',
  'too-many-api-keys': 'Das Konto hat zu viele API-Schlüssel',
  'no-api-key': 'Es gibt keinen Schlüssel zum Rollen',
  'bar-not-draft': 'Der Stab ist kein Entwurf',
  'bar-not-approved': 'Der Stab ist nicht freigegeben',
  'bar-not-started': 'Der Stab ist nicht begonnen',
  'bar-completed': 'Der Stab ist fertig',
  'last-admin': 'Die Firma braucht einen Admin',
  'run-under-way': 'Ein anderer Lauf ist noch im Gang',
  'rate-limit-exceeded': 'Zu viele Anfragen',
  'store-unavailable': 'Der Ereignisspeicher ist nicht erreichbar',
  'database-unavailable': 'Die Lesemodelle sind nicht erreichbar',
  'identity-provider-unavailable': 'Die Anmeldung ist nicht erreichbar',
  'read-model-behind': 'Die Lesemodelle sind im Rückstand',
  'internal-error': 'Der Dienst hat unerwartet versagt',
  forbidden: 'Keine Berechtigung',
}

export function titleOf({ code, title }: ProblemDocument, language: Language): string {
  return (language === 'de' && german[code]) || title
}
