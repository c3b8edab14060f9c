/** The groups of operations in the OpenAPI document, each with its description. */

export const groups = {
  Audit: 'Everything that happened in a company, in plain words, and its signed log with proofs.',
  'Companies and members':
    'Companies, their settings, their members with roles, and the API keys of members.',
  Documents: 'Files such as scanned certificates, kept as they were sent.',
  Imports: 'Files with records: first a proposal, which a person checks, then its confirmation.',
  'Mill cert tags': 'The labels of a company for mill certificates, and their assignments.',
  'Mill certificates': 'The statements of a mill about a heat of steel, and whether the steel may be used.',
  'My account': 'The caller, and the API keys of the caller.',
  Operations: 'The read models of the service, for its operators.',
  Deliveries: 'The steel that came, with its certificate and its supplier.',
  'Optimisation filter profiles': 'Saved filters of a company.',
  'Order tags': 'The labels of a company for orders, and their assignments.',
  Orders: 'Orders with their line items, dispatches and packs of certificates.',
  Portal: 'Login and logout of people in a browser.',
  'Production plan bars': 'Bars of a plan with their cuts: judged, approved, started and completed.',
  'Production plans': 'Plans of bars to be cut.',
  'Release policy': 'How strictly a company judges its bars.',
  'Rule packs': 'Rules that assign tags by themselves: those of this release, and those of a company.',
  Runs: 'Work of a company in the background whose result is a file.',
  Service: 'Health, metrics, this document and the list of problems.',
  Webhooks: 'Where the changes of a company are sent.',
  Traceability: 'From an order or piece to its steel, and from a heat to every piece of it.',
} as const

export type Group = keyof typeof groups
