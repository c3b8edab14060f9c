import type { Approval, Withdrawal } from '../../domain/bars/bar.ts'
import type { CutStatus } from '../../domain/bars/barContent.ts'
import { type BarStatus, barStatuses, type HeatRead } from '../../domain/bars/barEvents.ts'
import type { Stop } from '../../domain/bars/barStop.ts'
import type { KeptJudgement, OverrideRequest } from '../../domain/bars/keptJudgement.ts'
import type { DispatchedCut } from '../../domain/orders/orderDispatches.ts'
import type { Override } from '../../domain/verdict/verdictFacts.ts'
import {
  bigint,
  boolean,
  date,
  double,
  integer,
  json,
  nullable,
  table,
  text,
  textOf,
  timestamptz,
  uuid,
} from '../engine/projection.ts'
import { columnIndexes, onColumn, onColumnRepeatedly } from '../engine/reading/filters.ts'
import { wordIndex } from '../engine/wordFilter.ts'

/** The tables of production plans, their bars, cuts and dispatches. */

/** Bars in the order of their plans, and within a plan as they were planned. */
export const barOrder = ['planCreatedAt', 'planId', 'ordinal'] as const

export const barColumnFilters = {
  status: onColumnRepeatedly('status', { kind: 'oneOf', values: barStatuses }, 'The status.'),
  grade: onColumn('grade', { kind: 'text', most: 50 }, 'The grade as it was sent. A + is written %2B.'),
  profile: onColumn('profile', { kind: 'text', most: 50 }, 'The profile as it was sent.'),
  planId: onColumn('planId', { kind: 'id' }, 'The plan.'),
  millCertificationId: onColumn('millCertificationId', { kind: 'id' }, 'The mill certificate.'),
}

/** A judgement that an event has kept, as it is answered. */
export interface ShownJudgement extends KeptJudgement {
  readonly at: string
}

export const tables = {
  plan: table({
    columns: {
      companyId: uuid,
      planId: uuid,
      name: text,
      barCount: integer,
      createdAt: timestamptz,
      createdBy: text,
      revision: bigint,
    },
    key: ['companyId', 'planId'],
    indexes: [['companyId', 'createdAt', 'planId']],
    versioned: true,
  }),
  bar: table({
    columns: {
      companyId: uuid,
      barId: uuid,
      planId: uuid,
      /** When the plan was created; null while the plan does not name the bar. */
      planCreatedAt: nullable(timestamptz),
      /** The bar's place in the plan, from 1; null while the plan does not name it: nobody is to see it then. */
      ordinal: nullable(integer),
      status: textOf<BarStatus>(),
      stockLengthMm: double,
      grade: text,
      profile: nullable(text),
      millCertificationId: nullable(uuid),
      /** The bar whose remnant it is. */
      fromBarId: nullable(uuid),
      remnantMm: double,
      createdAt: timestamptz,
      /** The bar changes with its cuts, and appears when its plan names it. */
      updatedAt: timestamptz,
      approvedAt: nullable(timestamptz),
      startedAt: nullable(timestamptz),
      completedAt: nullable(timestamptz),
      approval: nullable(json<Approval>()),
      withdrawal: nullable(json<Withdrawal>()),
      heatRead: nullable(json<HeatRead>()),
      markTransferred: boolean,
      /** The heat number that was read, in the form in which heat numbers are compared. */
      heatKey: nullable(text),
      /** The number as `nearKey` writes it: look-alike numbers have the same text. */
      heatNearKey: nullable(text),
      /** The last judgement that an event has kept since the approval; null for a Draft or Cancelled bar. */
      judgement: nullable(json<ShownJudgement>()),
      stop: nullable(json<Stop>()),
      isStopped: boolean,
      /** They count in the verdict. */
      overrides: json<readonly Override[]>(),
      /** Of its plan, its profile and the marks of its pieces. */
      words: text,
      revision: bigint,
    },
    key: ['companyId', 'barId'],
    indexes: [
      ...columnIndexes(barOrder, barColumnFilters),
      ['companyId', 'heatKey'],
      ['companyId', 'heatNearKey'],
      ['companyId', 'isStopped'],
      ['companyId', 'fromBarId'],
      wordIndex,
    ],
    versioned: true,
  }),
  cut: table({
    columns: {
      companyId: uuid,
      barId: uuid,
      cutId: uuid,
      /** Within its bar. */
      ordinal: integer,
      orderId: uuid,
      lineItemId: uuid,
      lengthMm: double,
      pieceMark: nullable(text),
      /** In the form in which marks are compared. */
      pieceMarkKey: nullable(text),
      status: textOf<CutStatus>(),
      /** The dispatch with which the piece has left. */
      dispatchId: nullable(uuid),
      /** The revision of the cut's own last event. */
      revision: bigint,
    },
    key: ['companyId', 'barId', 'cutId'],
    indexes: [
      ['companyId', 'orderId', 'lineItemId'],
      ['companyId', 'pieceMarkKey'],
    ],
    versioned: true,
  }),
  dispatch: table({
    columns: {
      companyId: uuid,
      orderId: uuid,
      dispatchId: uuid,
      date,
      reference: text,
      cuts: json<readonly DispatchedCut[]>(),
      override: nullable(json<OverrideRequest>()),
      createdAt: timestamptz,
      createdBy: text,
      revision: bigint,
    },
    key: ['companyId', 'orderId', 'dispatchId'],
    indexes: [['companyId', 'orderId', 'createdAt', 'dispatchId']],
  }),
}

export type Tables = typeof tables
