/** Who may import whom; docs/decisions/imports.md says why. Types count as imports. */

const forbidden = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** A package that one place of ours wraps, so that it can be replaced there. */
const wrapped = (name, place) =>
  forbidden(
    `${name.replace('@', '')}-is-wrapped`,
    `Only ${place} imports ${name}.`,
    { path: '^src', pathNot: `^src/${place}` },
    { path: `node_modules/${name}/` },
  )

/** A room of src, and the other rooms that it may import. Each is declared after those, so no two import each other. */
const room = (name, comment, ...others) =>
  forbidden(
    `room-${name}`,
    comment,
    { path: `^src/${name}/` },
    { path: '^src/', pathNot: `^src/(${[name, 'lib', 'admission', ...others].join('|')})(/|\\.ts$)` },
  )

const rooms = [
  room('lib', 'Helpers belong to no part of the service, and every part may import them.'),
  room(
    'admission',
    'Admission decides who waits and who is refused, and knows nothing of the work.',
    'domain',
  ),
  room('stores/postgres', 'PostgreSQL knows none of its tables.'),
  room(
    'stores/localSchema',
    'The tables beside the read models know none of their users.',
    'stores/postgres',
  ),
  room('stores/leading', 'The work that a leader does is passed in.', 'stores/postgres'),
  room(
    'stores/eventStoreDb',
    'The event store knows events, and nothing of their readers.',
    'domain',
    'stores/eventStore',
  ),
  room(
    'stores/subscription',
    'A subscription passes events on, and does not know what becomes of them.',
    ...['domain', 'stores/eventStore', 'stores/leading'],
  ),
  room('documents', 'Documents are bytes with a place; they are attached elsewhere.', 'domain'),
  room(
    'imports',
    'A reader of files makes proposals; somebody else records them.',
    ...['domain', 'problems', 'stores/postgres'],
  ),
  room(
    'proofs/merkleLog',
    'The form of the log is pure: it is stored, signed and proved elsewhere.',
    'domain',
  ),
  room(
    'commands',
    'Commands decide from events: they look into no read model and do not know who calls them.',
    ...['domain', 'problems', 'stores/eventStore', 'stores/postgres'],
  ),
  room(
    'projections',
    'Projections fold events: they do not know who decides or who asks.',
    ...['domain', 'proofs/merkleLog', 'stores'],
  ),
  room(
    'changes',
    'The feed of changes is read by routes and by the sender of webhooks.',
    ...['domain', 'projections', 'stores/eventStore'],
  ),
  room(
    'webhooks',
    'The sender follows the feed as any reader does, and nobody asks it to.',
    ...['changes', 'domain', 'projections', 'stores'],
  ),
  room(
    'identity',
    'Callers and their rights are known before any resource.',
    ...['domain', 'commands', 'projections', 'stores/eventStore', 'stores/postgres'],
  ),
  room(
    'policies',
    'A policy reacts to events with commands; nobody asks it to.',
    ...['domain', 'commands', 'projections', 'stores'],
  ),
  room(
    'rulePacks',
    'Rules judge what they are given. The preview alone reads the read models for them.',
    ...['domain', 'problems', 'commands', 'projections', 'stores/eventStore'],
  ),
  room(
    'proofs/signing',
    'Signing and proving take the log as it is, and know none of its users.',
    ...['domain', 'proofs/merkleLog', 'projections', 'stores'],
  ),
  room(
    'proofs/companyExports',
    'An export holds the signed history of a company, its documents and its tables.',
    ...['domain', 'documents', 'projections', 'proofs/signing'],
  ),
  room(
    'proofs/orderPacks',
    'A pack holds what is known of an order, with its history and its documents.',
    ...['domain', 'commands', 'documents', 'projections'],
    ...['proofs/merkleLog', 'proofs/signing', 'stores/eventStore'],
  ),
  room(
    'processes/runs',
    'Long work is begun by a request and ends without it.',
    ...['domain', 'identity', 'projections', 'proofs/companyExports', 'stores/postgres'],
  ),
  room(
    'processes/monitoring',
    'Health and metrics look at every part; no part but the routes of health knows of them.',
    ...['policies', 'projections', 'stores', 'webhooks'],
  ),
  room(
    'http',
    'Routes know the use cases; only programs know the routes.',
    ...['changes', 'domain', 'problems', 'commands', 'documents', 'identity', 'imports', 'projections'],
    ...['proofs', 'webhooks', 'rulePacks', 'processes/runs', 'processes/monitoring'],
    ...['stores/eventStore', 'stores/postgres'],
  ),
]

/** A room of a layer that knows none of the layer's nouns, but for these files. */
const knowsNoNoun = (name, comment, ...but) =>
  forbidden(
    `${name.replace('/', '-')}-knows-no-noun`,
    comment,
    { path: `^src/${name}/` },
    { path: `^src/${name.split('/')[0]}/`, pathNot: `^src/(${[name, ...but].join('|')})(/|\\.ts$)` },
  )

const withoutNouns = [
  knowsNoNoun(
    'domain/kernel',
    'Every noun of the domain stands on the kernel. A decision may look into the rule packs of the release.',
    'domain/rulePacks/ruleBook',
  ),
  knowsNoNoun(
    'domain/steel',
    'Names of steels are read without knowing who holds them.',
    'domain/kernel/changes',
  ),
  knowsNoNoun('commands/executor', 'The executor runs any command.'),
  knowsNoNoun('projections/engine', 'The engine folds any projection.'),
  knowsNoNoun('http/kit', 'The kit serves any resource.'),
]

/** The projection engine's folders: each knows only those before it, and no read model. */
const engine = ['rows', 'schema', 'storage', 'projector', 'reading', 'operations']
const engineOrder = engine.map((name, index) =>
  forbidden(
    `engine-${name}`,
    'The engine knows no read model, and each of its folders only those before it.',
    { path: `^src/projections/engine/${name}/` },
    {
      path: '^src/projections/',
      pathNot: `^src/projections/engine/([a-z]+\\.ts$|(${engine.slice(0, index + 1).join('|')})/)`,
    },
  ),
)

module.exports = {
  forbidden: [
    forbidden(
      'no-circle',
      'Files that import each other are one idea, or two badly cut.',
      {},
      { circular: true },
    ),
    wrapped('express', 'http/'),
    wrapped('lean-qr', 'lib/pdf/labels\\.ts'),
    wrapped('pg-listen', 'stores/postgres/notifications\\.ts'),
    wrapped('unpdf', 'imports/pdf/textLayer\\.ts'),
    wrapped('onnxruntime-web', 'imports/scans/models\\.ts'),
    wrapped('@hyzyla/pdfium', 'imports/scans/drawPages\\.ts'),
    wrapped('@aws-sdk', 'documents/s3Objects\\.ts'),
    wrapped('@eventstore', '(stores/eventStoreDb/|embedded/eventStore/)'),
    forbidden(
      'node-uses-stubs-alone',
      'The local node uses the generated stubs of the client, and nothing else of it.',
      { path: '^src/embedded/eventStore/' },
      { path: 'node_modules/@eventstore/', pathNot: 'node_modules/@eventstore/db-client/generated/' },
    ),
    forbidden(
      'embedded-is-optional',
      'Production runs without the embedded stack: only start.ts and the CLI start it.',
      { path: '^src', pathNot: '^src/(start\\.ts|cli/|embedded/)' },
      { path: '^src/embedded/' },
    ),
    forbidden(
      'clocks-are-passed-in',
      'Programs import the clocks; every other part is given them, so that a spec can set them.',
      { path: '^src', pathNot: '^src/(start\\.ts|service\\.ts|cli/|embedded/)' },
      { path: '^src/lib/clocks\\.ts' },
    ),
    forbidden(
      'domain-is-pure',
      'The domain does no I/O: beside itself it imports the problem codes, the base of errors, texts with values, immutable and uuid alone.',
      { path: '^src/domain/' },
      {
        pathNot:
          '^src/(domain|problems)/|^src/lib/(failure|fillText|germanDigits)\\.ts|node_modules/(immutable|uuid)/',
      },
    ),
    forbidden(
      'problems-are-declarations',
      'The catalogue of problem codes is data: it imports zod alone.',
      { path: '^src/problems/' },
      { pathNot: '^src/problems/|node_modules/zod/' },
    ),
    forbidden(
      'portal-knows-the-api-alone',
      'The pages run in a browser: they know the service by its API, and import nothing of it but which spellings of a number count as one, the decimals of an element, the words for a verdict and its findings, texts with values, and the declared fields of records, which forms follow.',
      { path: '^src/portal/' },
      {
        pathNot:
          '^src/portal/|^src/lib/(fillText|germanDigits)\\.ts|^src/domain/(bars/heatOfSteel|kernel/(spellings|lookAlikes|fields)|certificates/(elements|certificateContent|readingDoubts)|orders/orderContent|verdict/(verdictWord|sentence))\\.ts$|node_modules/(react|react-dom|react-aria-components|wouter|vite|jsonc-parser|pdfjs-dist|utif2|@types|@tanstack|@fontsource-variable)/',
      },
    ),
    forbidden(
      'verifier-stands-alone',
      'Auditors read, copy and run this one file, so it imports nothing but Node itself.',
      { path: '^examples/verify/verifyExport\\.ts$' },
      { dependencyTypesNot: ['core'] },
    ),
    forbidden(
      'pages-are-built',
      'The service serves built pages; it imports none of their sources.',
      { path: '^src', pathNot: '^src/portal/' },
      { path: '^src/portal/' },
    ),
    forbidden(
      'build-is-a-program',
      'Installations without the packages of development have no builder.',
      { path: '^src', pathNot: '^src/portalBuild/' },
      { path: '^src/portalBuild/', pathNot: '^src/portalBuild/paths\\.ts$' },
    ),
    ...rooms,
    ...withoutNouns,
    ...engineOrder,
  ],
  options: {
    // TypeScript's own API is not part of version 7, so swc reads the imports.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types'] },
  },
}
