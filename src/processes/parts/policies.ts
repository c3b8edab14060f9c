import type { HearingExecutor } from '../../commands/executor/command.ts'
import { approvalReview } from '../../policies/approvalReview.ts'
import { startPolicy } from '../../policies/host.ts'
import type { Policy } from '../../policies/policy.ts'
import { ruleTagging } from '../../policies/ruleTagging.ts'
import { lookUpsIn } from '../../projections/bars/lookUps.ts'
import { anchorFolder } from '../../proofs/signing/anchorFolder.ts'
import type { AnchorPlace } from '../../proofs/signing/anchors.ts'
import type { Keys } from '../../proofs/signing/announcedKeys.ts'
import { startSigning } from '../../proofs/signing/signing.ts'
import { timestamps } from '../../proofs/signing/timestamps.ts'
import { judgeByOwnRules } from '../../rulePacks/ownRules/judge.ts'
import type { OwnRules } from '../../rulePacks/ownRules/ownRules.ts'
import type { Postgres } from '../../stores/postgres/postgres.ts'
import { createPost } from '../../webhooks/post.ts'
import { reachOf } from '../../webhooks/publicNetworks.ts'
import { startSender } from '../../webhooks/sender.ts'
import { openKeys } from './keys.ts'
import type { Runtime } from './runtime.ts'
import type { Stores } from './stores.ts'

const queryTimeoutMs = 30_000

/** Start the process role `policies`: of all processes that have it, one at a time runs each policy. */
export function startPolicies(
  runtime: Runtime,
  stores: Stores,
  { execute, noteEvent }: HearingExecutor,
  ownRules: OwnRules,
): void {
  const { metrics, newId } = runtime
  const { eventStore, reader } = stores
  startOne(runtime, stores, (postgres, condition) =>
    ruleTagging({
      eventStore,
      postgres,
      execute,
      noteEvent,
      newId,
      judgeByOwnRules: judgeByOwnRules(ownRules, eventStore),
      observe: { ...metrics.ruleTagging, condition },
    }),
  )
  startOne(runtime, stores, (_postgres, condition) =>
    approvalReview({
      execute,
      newId,
      lookUps: lookUpsIn(reader),
      observe: { ...metrics.approvalReview, condition },
    }),
  )
  startSigner(runtime, stores)
  startWebhooks(runtime, stores)
}

function startWebhooks({ config, log, metrics, now, newId, shutdown }: Runtime, stores: Stores): void {
  const { openPool } = stores
  const running = startSender({
    ...stores,
    postgres: openPool('webhooks', { size: 3, queryTimeoutMs }),
    post: createPost(reachOf(config.webhookNetworks)),
    now,
    owner: newId(),
    observe: {
      condition: (message) => log.warn(`webhooks: ${message}`),
      onAnswer: metrics.webhookRequest,
    },
  })
  shutdown.add('webhooks', () => running.stop())
}

/** Start the signer, if this process has a key. */
function startSigner(runtime: Runtime, stores: Stores): void {
  const { config, log, clock, newId, shutdown } = runtime
  if (config.signingKey === undefined) return
  const { eventStore, storeId, reader, openPool, renewals } = stores
  const keys = openKeys(runtime, stores)
  const running = startSigning({
    eventStore,
    storeId,
    reader,
    clock,
    keys,
    postgres: openPool('signer', { queryTimeoutMs }),
    renewals,
    anchorPlaces: anchorPlacesOf(config, keys),
    owner: newId(),
    observe: { condition: (message) => log.warn(`signer: ${message}`) },
  })
  shutdown.add('signer', () => running.stop())
}

/** @throws Error of one line when the certificates of the timestamp authority cannot be read */
function anchorPlacesOf(
  { anchorFolder: folder, timestamps: authority }: Runtime['config'],
  keys: Keys,
): AnchorPlace[] {
  return [
    ...(folder === undefined ? [] : [anchorFolder(folder, keys)]),
    ...(authority === undefined ? [] : [timestamps(authority)]),
  ]
}

/** Each policy has connections of its own, so that none waits for another. */
function startOne(
  { log, metrics, clock, newId, shutdown }: Runtime,
  { eventStore, intake, storeId, positions, reader, openPool, renewals }: Stores,
  create: (postgres: Postgres, condition: (message: string) => void) => Policy,
): void {
  const postgres = openPool('policies', { queryTimeoutMs })
  const condition = (message: string) => log.warn(`policy ${policy.name}: ${message}`)
  const policy = create(postgres, condition)
  const running = startPolicy(policy, {
    eventStore,
    intake,
    postgres,
    renewals,
    reader,
    positions,
    storeId,
    clock,
    owner: newId(),
    observe: { ...metrics.policy(policy.name), condition },
  })
  shutdown.add(`policy ${policy.name}`, () => running.stop())
}
