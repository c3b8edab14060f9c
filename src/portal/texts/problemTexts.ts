import { wordIn } from '../../domain/verdict/sentence.ts'
import { fillText } from '../../lib/fillText.ts'
import { germanDigits } from '../../lib/germanDigits.ts'
import type { ProblemCode } from '../api/generated.ts'
import { type Fault, faultText } from './faults.ts'

/** The German texts say what a problem means and what to do. The service says it in English. Braces name members of the problem. */
export const problemTexts: Readonly<Record<Exclude<ProblemCode, `${string}not-found`>, string>> = {
  'malformed-request': 'Wahrscheinlich ist die Verbindung gestört. Laden Sie die Seite neu.',
  'malformed-json': 'Es wurde nichts gespeichert. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  'body-incomplete':
    'Die Verbindung brach ab, und es wurde nichts gespeichert. Versuchen Sie es noch einmal.',
  'validation-failed': 'Es wurde nichts gespeichert. Korrigieren Sie die Eingaben.',
  'login-failed': 'Melden Sie sich noch einmal an. Scheitert es wieder, fragen Sie den Betreiber.',
  'invalid-logout-token': 'Keine Sitzung wurde beendet. Der Betreiber prüft die Einstellungen der Anmeldung.',
  'method-not-allowed': 'Es wurde nichts getan. Laden Sie die Seite neu.',
  'request-timeout':
    'Es wurde nichts gespeichert. Versuchen Sie es noch einmal, bei langsamem Netz in kleineren Teilen.',
  'body-too-large': 'Es wurde nichts gespeichert. Teilen Sie die Datei oder die Eingaben auf.',
  'too-many-values': 'Es wurde nichts gespeichert. Teilen Sie die Datei oder die Eingaben auf.',
  'line-too-long': 'Diese Zeile wurde nicht gespeichert. Senden Sie sie einzeln.',
  'too-many-lines': 'Ab dieser Zeile wurde nichts gespeichert. Senden Sie den Rest noch einmal.',
  'too-large-to-record': 'Es wurde nichts gespeichert. Teilen Sie die Eingaben auf.',
  'unsupported-media-type': 'Es wurde nichts gespeichert. Wählen Sie eine Datei anderer Art.',
  'range-not-satisfiable': 'Die Datei ist kürzer als gedacht. Laden Sie sie noch einmal.',
  'document-infected':
    'Die Datei wurde nicht gespeichert. Öffnen Sie sie nicht, und verlangen Sie eine andere.',
  'import-unreadable': '{reason} Keine Zeile daraus wurde übernommen.',
  'idempotency-key-reused':
    'Es wurde nichts getan. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  'headers-too-large':
    'Es wurde nichts getan. Löschen Sie die Cookies dieser Seite, und melden Sie sich neu an.',
  'credentials-missing': 'Melden Sie sich an.',
  'authorization-malformed': 'Melden Sie sich noch einmal an.',
  'invalid-token': 'Melden Sie sich noch einmal an.',
  'invalid-api-key': 'Prüfen Sie den Schlüssel, oder erstellen Sie einen neuen.',
  'credentials-differ': 'Verwenden Sie nur eines von beiden.',
  'session-ended': 'Melden Sie sich noch einmal an.',
  'session-unknown': 'Melden Sie sich noch einmal an.',
  'token-required': 'Melden Sie sich an; ein API-Schlüssel genügt hier nicht.',
  forbidden:
    'Keine Ihrer Rollen erlaubt das. Bitten Sie einen Admin der Firma um eine Rolle, die es erlaubt.',
  'quality-only': 'Es wurde nichts gespeichert. Bitten Sie jemanden mit der Rolle Qualität oder Admin.',
  'https-required': 'Es wurde nichts getan. Öffnen Sie die Adresse mit https.',
  'rate-limit-exceeded': 'Es wurde nichts getan. Warten Sie eine Minute.',
  'company-too-large':
    'Die Grenze von {limit} Bytes am Tag ist erreicht, und es wurde nichts gespeichert. Sperren und Zurücknehmen gehen weiter; alles andere geht morgen wieder, oder der Betreiber hebt die Grenze an.',
  'tag-name-taken': 'Es wurde nichts gespeichert. Wählen Sie einen anderen Namen.',
  'tag-name-soft-deleted':
    'Es wurde nichts gespeichert. Stellen Sie jenen Tag wieder her, oder wählen Sie einen anderen Namen.',
  'tag-deleted': 'Es wurde nichts gespeichert. Stellen Sie den Tag zuerst wieder her.',
  'system-tag-read-only':
    'Nur das Regelpaket ändert ihn, und es wurde nichts gespeichert. Legen Sie einen eigenen Tag an.',
  'too-many-tags':
    'Es wurde nichts gespeichert. Stellen Sie einen gelöschten Tag wieder her, und benennen Sie ihn um.',
  'too-many-manual-tags': 'Es wurde nichts gespeichert. Nehmen Sie einen Tag ab, den niemand mehr braucht.',
  'rule-pack-not-subscribed': 'Es wurde nichts gespeichert. Abonnieren Sie das Regelpaket.',
  'rule-pack-already-exists':
    'Es wurde nichts gespeichert. Wählen Sie eine andere Kennung, oder schreiben Sie die nächste Version.',
  'too-many-rule-packs':
    'Es wurde nichts gespeichert. Schreiben Sie die nächste Version eines Pakets, das niemand mehr braucht.',
  'too-many-rule-pack-versions':
    'Es wurde nichts gespeichert. Schreiben Sie ein Regelpaket mit anderer Kennung.',
  'rule-pack-subscribed': 'Seine Regeln gelten, und es wurde nicht gelöscht. Bestellen Sie es zuerst ab.',
  'own-rules-too-costly':
    'Erlaubt sind {limit} Schritte, und es wären {cost}. Vereinfachen Sie die Regeln, oder bestellen Sie ein anderes eigenes Paket ab.',
  'rule-pack-newer': 'Es bleibt bei Version {subscribedVersion}. Sie müssen nichts tun.',
  'another-manufacturer': 'Es wurde nichts gespeichert. Vergleichen Sie mit dem Original.',
  'delivery-already-recorded': 'Es wurde nichts gespeichert. Korrigieren Sie den erfassten Wareneingang.',
  'delivery-voided': 'Es wurde nichts gespeichert. Erfassen Sie einen neuen Wareneingang.',
  'looks-like-another':
    'Gemeint ist wohl „{other}“; Ihre Eingabe hat Buchstaben einer anderen Schrift. Tippen Sie sie noch einmal.',
  'certificate-already-registered':
    'Es wurde nichts gespeichert. Vergleichen Sie mit dem Original, und korrigieren Sie das erfasste Zeugnis.',
  'certificate-voided':
    'Es wurde nichts gespeichert. Erklären Sie das Zeugnis zuerst wieder für gültig, oder nehmen Sie jenes, das es ersetzt.',
  'certificate-blocked':
    'Es wurde nichts gespeichert. Korrigieren Sie das Zeugnis, oder geben Sie es einzeln mit einem Grund frei.',
  'certificate-not-allowed':
    'Es wurde nichts gespeichert. Sehen Sie sich das Zeugnis noch einmal an: Jemand hat schon entschieden.',
  'four-eyes':
    'Es wurde nichts gespeichert. Bitten Sie eine zweite Person mit der Rolle Qualität oder Admin.',
  'document-attached': 'Hängen Sie es zuerst von den Zeugnissen ab.',
  'too-many-documents': 'Es wurde nichts angehängt. Hängen Sie ein Dokument ab, das niemand mehr braucht.',
  'too-many-stored-bytes':
    'Die Datei wurde nicht gespeichert. Löschen Sie Dokumente, die zu keinem Zeugnis gehören, oder bitten Sie den Betreiber, die Grenze anzuheben.',
  'too-many-imports':
    'Die Datei wurde nicht gelesen; erlaubt sind {limit} Importe. Legen Sie mehrere Dateien zusammen, oder warten Sie, bis der älteste Import 7 Tage alt ist.',
  'import-changed':
    'Es wurde nichts gespeichert. Laden Sie die Datei noch einmal hoch, und bestätigen Sie den neuen Vorschlag.',
  'order-already-registered': 'Es wurde nichts gespeichert. Korrigieren Sie den erfassten Auftrag.',
  'line-item-in-use': 'Es wurde nichts gespeichert. Behalten Sie die Positionen {lineNumbers}.',
  'plan-already-exists':
    'Es wurde nichts gespeichert. Fügen Sie dem Plan Stäbe hinzu, oder legen Sie einen neuen an.',
  'bar-already-planned': 'Es wurde nichts geplant. Laden Sie die Seite neu.',
  'bar-not-draft': 'Es wurde nichts gespeichert. Der Stab hat schon den Status {state}.',
  'bar-may-not-be-cut':
    'Es wurde nichts gespeichert. Setzen Sie ein anderes Zeugnis, oder bitten Sie die Qualitätsstelle, zu entscheiden.',
  'bar-not-approved': 'Der Stab wurde nicht begonnen; sein Status ist {state}. Genehmigen Sie ihn zuerst.',
  'bar-not-started': 'Es wurde nichts gespeichert; der Status ist {state}. Beginnen Sie den Stab zuerst.',
  'bar-completed': 'Seine Schnitte bleiben, wie sie sind. Planen Sie das Teil auf einem anderen Stab.',
  'bar-cancelled': 'Er bleibt, wie er ist. Planen Sie einen neuen Stab.',
  'bar-not-revertible':
    'Es wurde nichts gespeichert; der Status ist {state}. Sehen Sie sich den Stab noch einmal an.',
  'pieces-held':
    'Der Stab wurde trotz einer Sperre geschnitten. Erst entscheidet die Qualitätsstelle über seine Befunde.',
  'bar-not-cancellable':
    'Nehmen Sie zuerst den Beginn zurück. Wurde ein Teil falsch geschnitten, verwerfen Sie das Teil.',
  'cut-not-scrappable':
    'Es wurde nichts gespeichert. Lehnen Sie den Schnitt ab, solange der Stab nicht fertig ist.',
  'cut-scrapped': 'Planen Sie das Teil noch einmal, auf einem neuen Stab.',
  'cut-dispatched':
    'Der Stab bleibt, wie er ist. Ist sein Zeugnis falsch, setzen Sie ein anderes mit einem Grund.',
  'pieces-not-cleared':
    'Es wurde nichts versandt. Schließen Sie die Lücken, oder bitten Sie die Qualitätsstelle, zu entscheiden.',
  'remnant-used':
    'Es wurde nichts geplant. Nehmen Sie einen anderen Rest, oder stornieren Sie den Stab, der ihn verwendet.',
  'bar-overfull':
    'Es wurde nichts gespeichert. Lehnen Sie zuerst einen anderen Schnitt ab, oder planen Sie das Teil auf einem anderen Stab.',
  'company-already-exists': 'Es wurde nichts gespeichert. Wählen Sie eine andere Kennung.',
  'last-admin': 'Es wurde nichts gespeichert. Geben Sie zuerst einem anderen Mitglied die Rolle Admin.',
  'record-must-be-kept':
    'Es wurde nichts gelöscht; es geht um {count} Handlungen. Warten Sie zehn Jahre, oder bestätigen Sie die Löschung ausdrücklich.',
  'membership-ended': 'Der neue Schlüssel wurde wieder gelöscht. Erstellen Sie ihn noch einmal.',
  'after-unknown': 'Der Speicher wurde zurückgesetzt. Laden Sie die Seite neu.',
  'no-api-key': 'Erstellen Sie einen API-Schlüssel.',
  'too-many-webhooks': 'Es wurde nichts gespeichert. Löschen Sie einen Webhook, den niemand mehr braucht.',
  'too-many-api-keys': 'Löschen Sie einen Schlüssel, den niemand mehr braucht, oder warten Sie bis morgen.',
  'profile-name-taken': 'Es wurde nichts gespeichert. Wählen Sie einen anderen Namen.',
  'too-many-profiles': 'Es wurde nichts gespeichert. Löschen Sie ein Filterprofil, das niemand mehr braucht.',
  'run-under-way': 'Warten Sie, bis er fertig ist.',
  'history-diverged':
    'Der Dienst signiert nichts, was seinem letzten Prüfpunkt widerspricht. Sagen Sie es dem Betreiber.',
  'precondition-failed':
    'Es wurde nichts gespeichert. Sehen Sie sich den neuen Stand an, und versuchen Sie es noch einmal.',
  'precondition-required': 'Es wurde nichts gespeichert. Laden Sie die Seite neu.',
  'internal-error':
    'Vielleicht ist die Änderung gespeichert. Sehen Sie nach, und nennen Sie dem Betreiber die Kennung darunter.',
  'event-damaged':
    'Es wurde nichts gespeichert; andere Datensätze sind nicht betroffen. Sagen Sie es dem Betreiber.',
  'store-full': 'Es wurde nichts gespeichert; lesen können Sie weiter. Sagen Sie es dem Betreiber.',
  'store-unavailable':
    'Es wurde nichts gespeichert; lesen können Sie weiter. Versuchen Sie es gleich noch einmal.',
  'rule-pack-not-evaluated':
    'Es wurde nichts gespeichert. Versuchen Sie es gleich noch einmal; bleibt es dabei, vereinfachen Sie die eigenen Regeln.',
  'outcome-unknown': 'Sehen Sie nach, bevor Sie es noch einmal versuchen.',
  'database-unavailable':
    'Es wurde nichts getan. Versuchen Sie es gleich noch einmal; bleibt es dabei, sagen Sie es dem Betreiber.',
  'facts-incomplete':
    'Es wurde nichts gespeichert, denn eine Sperre könnte fehlen. Sagen Sie es dem Betreiber.',
  'documents-unavailable':
    'Es wurde nichts getan; alles ohne Dateien geht weiter. Versuchen Sie es gleich noch einmal.',
  'documents-full': 'Es wurde nichts gespeichert. Bitten Sie den Betreiber um Platz.',
  'identity-provider-unavailable': 'Versuchen Sie es gleich noch einmal.',
  'read-model-behind': 'Versuchen Sie es gleich noch einmal.',
  'too-busy': 'Es wurde nichts getan. Versuchen Sie es gleich noch einmal.',
  'signing-failed':
    'Es wurde nichts signiert. Versuchen Sie es später noch einmal; scheitert es wieder, sagen Sie es dem Betreiber.',
  'signing-key-differs': 'Es wurde nichts signiert. Sagen Sie es dem Betreiber.',
  'signing-key-missing': 'Es gibt keinen signierten Export. Bitten Sie den Betreiber um einen Schlüssel.',
  'too-many-large-reads': 'Es wurde nichts gelesen. Versuchen Sie es gleich noch einmal.',
  'newer-release-running': 'Es wurde nichts gespeichert. Versuchen Sie es gleich noch einmal.',
  'event-store-went-back':
    'Nichts gilt als gespeichert, bis der Betreiber das behoben hat; lesen können Sie weiter.',
  'clocks-differ': 'Es wurde nichts gespeichert; lesen können Sie weiter. Der Betreiber stellt die Uhren.',
  'rule-pack-not-shipped': 'Es wurde nichts gespeichert. Der Betreiber startet die richtige Version.',
  'revocation-pending':
    'Er ist gespeichert, aber noch nicht überall wirksam. Wiederholen Sie ihn, bis er gelingt.',
  'erasure-pending':
    'Sie ist gespeichert, aber der Name ist noch zu sehen. Wiederholen Sie sie, bis sie gelingt.',
  'portal-not-built': 'Bitten Sie den Betreiber, sie zu bauen.',
  'not-ready': 'Manches geht jetzt nicht. Versuchen Sie es gleich noch einmal.',
}

const notFound = 'Vielleicht wurde es gelöscht, oder es gehört zu einer anderen Firma.'

interface Told {
  readonly code?: string
  readonly detail?: string
  readonly errors?: readonly Fault[]
  readonly [member: string]: unknown
}

/** Return what a problem means and what to do. The faults of a request say it. */
export function problemText({ code = '', detail = '', errors = [], ...members }: Told): string {
  if (errors.length > 0) return [...new Set(errors.map((fault) => faultText(fault, 'de')))].join(' ')
  if (code.endsWith('not-found')) return notFound
  const text = (problemTexts as Readonly<Record<string, string>>)[code]
  return text === undefined ? detail : fillText(text, (name) => inGerman(members[name]))
}

const unreadable: Readonly<Record<string, string>> = {
  damaged: 'Sie ist beschädigt oder eine Datei anderer Art. Verlangen Sie sie noch einmal.',
  encrypted: 'Sie ist verschlüsselt. Speichern Sie sie ohne Passwort.',
  'too-large': 'Sie ist zu groß. Teilen Sie sie auf, oder senden Sie nur die Seiten des Zeugnisses.',
  'no-headings': 'Ihre ersten Zeilen haben keine bekannten Überschriften. Nehmen Sie die der Vorlage.',
  'no-rows': 'Sie hat Überschriften, aber keine Zeilen.',
  'no-text': 'Auf ihren Seiten steht kein lesbarer Text. Scannen Sie sie noch einmal mit 300 dpi.',
  'other-kind': 'Diese Art von Datei gibt keine solchen Datensätze. Senden Sie eine Tabelle.',
  'no-scan-reader': 'Sie ist ein Scan, und der Dienst kann keine Scans lesen. Tippen Sie die Werte ab.',
}

function inGerman(value: unknown): string {
  if (Object.hasOwn(unreadable, String(value))) return unreadable[String(value)]!
  if (typeof value === 'number') return germanDigits(String(value))
  if (Array.isArray(value)) return value.join(', ')
  // The status of a bar is a text that findings use, too.
  return wordIn('de', String(value ?? ''))
}
