/**
 * How the bound of a day applies to an event. An event that makes steel less cuttable or takes rights away is never
 * refused: it waits for no midnight. It can only go one way, and a bounded event leads back, so nobody can record it
 * without end. Facts of the floor may repeat, so they have a reserve.
 */
export type Bound =
  /** Never refused. */
  | 'none'
  /** Refused at twice the bound. */
  | 'reserve'
  /** Refused at the bound. */
  | 'day'
  /** Also refused when what rule packs have recorded is at the bound: the event lets them judge again. */
  | 'rules'
