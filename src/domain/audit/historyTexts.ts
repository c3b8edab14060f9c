import { historyParts } from './historyParts.ts'

/** The sentences of a history in every language, by the types of the events. */

type Text = Readonly<Record<'en' | 'de', string>>

const events = {
  MillCertificateRegistered: {
    en: 'Certificate {number} of heat {heat} was registered.',
    de: 'Das Zeugnis {number} der Schmelze {heat} wurde erfasst.',
  },
  MillCertificateCorrected: {
    en: 'Certificate {number} was corrected: {fields}.{takenBack}',
    de: 'Das Zeugnis {number} wurde korrigiert: {fields}.{takenBack}',
  },
  CertificateReleased: {
    en: 'The certificate was released{spite}.{reason}{note}',
    de: 'Das Zeugnis wurde{spite} freigegeben.{reason}{note}',
  },
  CertificateRejected: {
    en: 'The certificate was rejected.{reason}',
    de: 'Das Zeugnis wurde zurückgewiesen.{reason}',
  },
  CertificateReopened: {
    en: 'The certificate was reopened.{reason}',
    de: 'Die Entscheidung über das Zeugnis wurde aufgehoben.{reason}',
  },
  CertificateVoided: {
    en: 'The certificate was voided{replaced}.{reason}',
    de: 'Das Zeugnis wurde für ungültig erklärt{replaced}.{reason}',
  },
  CertificateReinstated: {
    en: 'The certificate was reinstated.{reason}',
    de: 'Das Zeugnis gilt wieder.{reason}',
  },
  OrderRegistered: {
    en: 'Order {number} was registered with {lines} {lines:line|lines}.',
    de: 'Der Auftrag {number} wurde mit {lines} {lines:Position|Positionen} erfasst.',
  },
  OrderCorrected: {
    en: 'Order {number} was corrected: {fields}.',
    de: 'Der Auftrag {number} wurde korrigiert: {fields}.',
  },
  OrderDispatched: {
    en: 'Dispatch {reference} of {date} took {pieces} {pieces:piece|pieces}{spite}',
    de: 'Mit dem Versand {reference} vom {date} {pieces:ging|gingen} {pieces} {pieces:Teil|Teile} ab{spite}',
  },
  PackIssued: {
    en: 'The pack "{file}" (SHA-256 {sha256}) was issued{spite}.',
    de: 'Die Mappe „{file}“ (SHA-256 {sha256}) wurde ausgestellt{spite}.',
  },
  ProductionPlanCreated: {
    en: 'Production plan "{name}" was created with {bars} {bars:bar|bars}.',
    de: 'Der Plan „{name}“ wurde mit {bars} {bars:Stab|Stäben} angelegt.',
  },
  BarsPlanned: {
    en: 'The production plan got {bars} {bars:bar|bars}.',
    de: 'Zum Plan {bars:kam|kamen} {bars} {bars:Stab|Stäbe}.',
  },
  BarOpened: {
    en: 'The bar was planned: {length} mm of {steel} with {cuts} {cuts:cut|cuts}.',
    de: 'Der Stab wurde geplant: {length} mm {steel} mit {cuts} {cuts:Schnitt|Schnitten}.',
  },
  BarApproved: { en: 'The bar was approved{judged}.', de: 'Der Stab wurde genehmigt{judged}.' },
  BarApprovedInSpite: {
    en: 'The bar was approved{judged} in spite of {overrides}',
    de: 'Der Stab wurde genehmigt{judged}; übersteuert: {overrides}',
  },
  BarApprovalWithdrawn: {
    en: 'The approval was withdrawn{judged}: {findings}',
    de: 'Die Genehmigung wurde entzogen{judged}: {findings}',
  },
  FindingsOverridden: { en: 'An override covers {overrides}', de: 'Übersteuert: {overrides}' },
  BarCertificateSet: {
    en: 'The bar got certificate {present}{judged}.{reason}',
    de: 'Der Stab hat jetzt das Zeugnis {present}{judged}.{reason}',
  },
  BarCertificateReplaced: {
    en: 'The bar got certificate {present} in place of certificate {former}{judged}.{reason}',
    de: 'Der Stab hat jetzt das Zeugnis {present} anstelle des Zeugnisses {former}{judged}.{reason}',
  },
  BarCertificateTakenOff: {
    en: 'The bar has no certificate any more; it had certificate {former}{judged}.{reason}',
    de: 'Der Stab hat kein Zeugnis mehr; er hatte das Zeugnis {former}{judged}.{reason}',
  },
  BarHeatRead: {
    en: 'Heat {heat} was read off the steel.{reason}',
    de: 'Vom Stahl wurde die Schmelze {heat} abgelesen.{reason}',
  },
  BarHeatTakenBack: {
    en: 'The heat number that was read off the steel was taken back.',
    de: 'Die vom Stahl abgelesene Schmelze wurde zurückgenommen.',
  },
  BarStarted: { en: 'The bar was started.', de: 'Der Stab wurde begonnen.' },
  BarCompleted: {
    en: 'The bar was completed{mark}{spite}.{reason}',
    de: 'Der Stab wurde{spite} fertig gemeldet{mark}.{reason}',
  },
  BarReverted: {
    en: 'The bar was taken back from {from} to {to}{judged}.{reason}',
    de: 'Der Stab wurde von {from} auf {to} zurückgenommen{judged}.{reason}',
  },
  BarCancelled: { en: 'The bar was cancelled.{reason}', de: 'Der Stab wurde storniert.{reason}' },
  CutScrapped: {
    en: 'Cut {cut} was scrapped.{reason}',
    de: 'Der Schnitt {cut} wurde verworfen.{reason}',
  },
  RemnantTaken: {
    en: 'The remnant became the stock of bar {bar}, which is {length} mm long.',
    de: 'Aus dem Rest wurde der Stab {bar}, der {length} mm lang ist.',
  },
  CutStatusChanged: {
    en: 'Cut {cut} was {from} and became {to}{judged}.',
    de: 'Der Schnitt {cut} war {from} und ist jetzt {to}{judged}.',
  },
  TagCreated: { en: 'Tag "{name}" was created.', de: 'Der Tag „{name}“ wurde angelegt.' },
  TagCreatedWithSeverity: {
    en: 'Tag "{name}" was created with the severity {severity}.',
    de: 'Der Tag „{name}“ wurde mit der Schwere {severity} angelegt.',
  },
  TagUpdated: { en: 'Tag "{name}" was changed: {fields}.', de: 'Der Tag „{name}“ wurde geändert: {fields}.' },
  TagSoftDeleted: { en: 'Tag "{name}" was deleted.', de: 'Der Tag „{name}“ wurde gelöscht.' },
  TagRestored: { en: 'Tag "{name}" was restored.', de: 'Der Tag „{name}“ wurde wiederhergestellt.' },
  ManualAssignmentsReplaced: { en: 'By hand, {moved}.', de: 'Von Hand: {moved}.' },
  RuleAssignmentsReplaced: {
    en: 'Version {version} of {name} judged it: {moved}.{unsure}',
    de: 'Version {version} von {name} hat geurteilt: {moved}.{unsure}',
  },
  RulePackSubscribed: {
    en: 'The company subscribed to version {version} of {name}.',
    de: 'Die Firma hat Version {version} von {name} abonniert.',
  },
  RulePackUpgraded: {
    en: 'The company moved from version {fromVersion} to version {version} of {name}.',
    de: 'Die Firma ist von Version {fromVersion} auf Version {version} von {name} übergegangen.',
  },
  RulePackUnsubscribed: {
    en: 'The company unsubscribed from {name}.',
    de: 'Die Firma hat {name} abbestellt.',
  },
  OwnRulePackAdded: {
    en: 'The company added its own rule pack {name}.',
    de: 'Die Firma hat ihr eigenes Regelpaket {name} hinzugefügt.',
  },
  OwnRulePackWithdrawn: {
    en: 'The company deleted its own rule pack {name}.',
    de: 'Die Firma hat ihr eigenes Regelpaket {name} gelöscht.',
  },
  RulePackDefined: {
    en: 'Version {version} of the own rule pack {name} was written.',
    de: 'Version {version} des eigenen Regelpakets {name} wurde geschrieben.',
  },
  RulePackValidated: {
    en: 'Version {version} of {name} was validated against {edition} on {date} by {by}.{note}',
    de: '{by} hat Version {version} von {name} am {date} an {edition} geprüft.{note}',
  },
  DeliveryRecorded: {
    en: 'Delivery note {number} of {date} brought {pieces} {pieces:piece|pieces}.',
    de: 'Mit dem Lieferschein {number} vom {date} {pieces:kam|kamen} {pieces} Stück.',
  },
  DeliveryOfSupplierRecorded: {
    en: 'Delivery note {number} of {supplier} of {date} brought {pieces} {pieces:piece|pieces}.',
    de: 'Mit dem Lieferschein {number} von {supplier} vom {date} {pieces:kam|kamen} {pieces} Stück.',
  },
  DeliveryCorrected: {
    en: 'Delivery note {number} was corrected: {fields}.',
    de: 'Der Lieferschein {number} wurde korrigiert: {fields}.',
  },
  DeliveryVoided: {
    en: 'Delivery note {number} was voided.{reason}',
    de: 'Der Lieferschein {number} wurde für ungültig erklärt.{reason}',
  },
  DocumentStored: {
    en: 'The document "{file}" was stored: {bytes} {bytes:byte|bytes}, SHA-256 {sha256}.',
    de: 'Das Dokument „{file}“ wurde abgelegt: {bytes} {bytes:Byte|Bytes}, SHA-256 {sha256}.',
  },
  DocumentDeleted: {
    en: 'The document "{file}" (SHA-256 {sha256}) was deleted.',
    de: 'Das Dokument „{file}“ (SHA-256 {sha256}) wurde gelöscht.',
  },
  DocumentAttached: {
    en: 'The document "{file}" (SHA-256 {sha256}) was attached.',
    de: 'Das Dokument „{file}“ (SHA-256 {sha256}) wurde angehängt.',
  },
  DocumentDetached: {
    en: 'The document "{file}" (SHA-256 {sha256}) was detached.',
    de: 'Das Dokument „{file}“ (SHA-256 {sha256}) wurde abgehängt.',
  },
  CompanyRegistered: {
    en: 'The company "{name}" was registered.',
    de: 'Die Firma „{name}“ wurde angelegt.',
  },
  ReleasePolicySet: {
    en: 'The release policy was changed: {fields}.',
    de: 'Die Freigaberichtlinie wurde geändert: {fields}.',
  },
  CompanySettingsSet: {
    en: 'The settings were changed: {fields}.',
    de: 'Die Einstellungen wurden geändert: {fields}.',
  },
  MemberRolesSet: {
    en: 'Member {member} now has the {count:role|roles} {roles}.',
    de: '{member} hat jetzt die {count:Rolle|Rollen} {roles}.',
  },
  Viewer: { en: 'Viewer', de: 'Leser' },
  Editor: { en: 'Editor', de: 'Bearbeiter' },
  Planner: { en: 'Planner', de: 'Planer' },
  Cutter: { en: 'Cutter', de: 'Säger' },
  Quality: { en: 'Quality', de: 'Qualität' },
  Auditor: { en: 'Auditor', de: 'Prüfer' },
  Admin: { en: 'Admin', de: 'Admin' },
  MemberRemoved: { en: 'Member {member} was removed.', de: 'Das Mitglied {member} wurde entfernt.' },
  MemberRemovedWithoutKeys: {
    en: 'Member {member} was removed, and the API keys of the account were kept.',
    de: 'Das Mitglied {member} wurde entfernt; die API-Schlüssel des Kontos bleiben.',
  },
  MemberKeysNarrowed: {
    en: 'The roles of {keys} API {keys:key|keys} of member {member} were cut to {roles}.',
    de: 'Die Rollen von {keys} {keys:API-Schlüssel|API-Schlüsseln} des Mitglieds {member} wurden auf {roles} eingeschränkt.',
  },
  MemberKeysEmptied: {
    en: 'The roles of {keys} API {keys:key|keys} of member {member} were taken away.',
    de: 'Die Rollen von {keys} {keys:API-Schlüssel|API-Schlüsseln} des Mitglieds {member} wurden entzogen.',
  },
  PersonErased: { en: 'The name of {member} was erased.', de: 'Der Name von {member} wurde gelöscht.' },
  FilterProfileSaved: {
    en: 'Filter profile "{name}" was saved.',
    de: 'Das Filterprofil „{name}“ wurde gespeichert.',
  },
  FilterProfileUpdated: {
    en: 'Filter profile "{name}" was changed.',
    de: 'Das Filterprofil „{name}“ wurde geändert.',
  },
  FilterProfileSoftDeleted: {
    en: 'Filter profile "{name}" was deleted.',
    de: 'Das Filterprofil „{name}“ wurde gelöscht.',
  },
  WebhookAdded: { en: 'A webhook to {url} was added.', de: 'Ein Webhook an {url} wurde hinzugefügt.' },
  WebhookChanged: { en: 'The webhook to {url} was changed.', de: 'Der Webhook an {url} wurde geändert.' },
  WebhookResumed: {
    en: 'The webhook to {url} goes on where it stopped.',
    de: 'Der Webhook an {url} wird dort fortgesetzt, wo er stehen blieb.',
  },
  WebhookResumedAfter: {
    en: 'The webhook to {url} goes on after position {after}.',
    de: 'Der Webhook an {url} wird nach der Stelle {after} fortgesetzt.',
  },
  WebhookSecretRolled: {
    en: 'The webhook to {url} has a new secret. The one before is valid for {hours} {hours:hour|hours}.',
    de: 'Der Webhook an {url} hat ein neues Geheimnis. Das vorige gilt noch {hours} {hours:Stunde|Stunden}.',
  },
  WebhookDeleted: { en: 'The webhook to {url} was deleted.', de: 'Der Webhook an {url} wurde gelöscht.' },
  UnknownEvent: {
    en: 'An event of the type "{type}" was recorded, which this release does not know.',
    de: 'Ein Ereignis der Art „{type}“ wurde erfasst, die diese Version nicht kennt.',
  },
} as const satisfies Readonly<Record<string, Text>>

export const historyTexts = { ...events, ...historyParts }
