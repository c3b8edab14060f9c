import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import type { TurnableFolds } from './folds.ts'
import { type Column, nodesIn, orderId, type TraceGraph, type TraceNode } from './graph.ts'

/** Walk through the trace by keyboard: one stop for Tab, and the arrow keys from there. */
export function useWalk(graph: TraceGraph, folds: TurnableFolds) {
  const tree = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(orderId)
  const [hasFocus, setHasFocus] = useState(false)
  const targetOf = useTargets(graph)
  /** The place of the first child that was not drawn before. */
  const wanted = useRef<{ readonly column: Column; readonly row: number }>(undefined)

  const focus = (id: string) =>
    tree.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)?.focus()
  useLayoutEffect(() => {
    if (!wanted.current) return
    const { column, row } = wanted.current
    wanted.current = undefined
    const node = nodesIn(graph, column).find((one) => one.row === row)
    if (node) focus(node.id)
  })

  const act = (node: TraceNode) => {
    if (node.kind === 'more') {
      folds.showMore(node.parent)
      wanted.current = node
    } else folds.turn(node.id)
  }
  const stop = graph.nodes.has(current) ? current : orderId
  return {
    act,
    /** The node that has the focus. */
    focused: hasFocus ? stop : undefined,
    /** The node that Tab goes to. */
    stop,
    tree: {
      ref: tree,
      onFocus: ({ target }: FocusEvent<HTMLElement>) => {
        setHasFocus(true)
        setCurrent(target.dataset.node ?? orderId)
      },
      onBlur: () => setHasFocus(false),
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        const { key, altKey, ctrlKey, metaKey } = event
        if (!walkingKeys.has(key) || altKey || ctrlKey || metaKey) return
        event.preventDefault()
        const node = graph.nodes.get(stop)!
        // The cuts of a closed line are not drawn yet.
        if (key === 'ArrowRight' && node.to.length === 0 && canTurn(node)) act(node)
        else focus(targetOf(node, key) ?? node.id)
      },
    },
  }
}

/** Return a function that gives the node that a key leads to. */
function useTargets(graph: TraceGraph) {
  /** The neighbour that one came from, for the way back. */
  const cameFrom = useRef({ left: new Map<string, string>(), right: new Map<string, string>() })
  const neighbour = (node: TraceNode, way: 'left' | 'right') => {
    const ids = way === 'left' ? node.from : node.to
    const before = cameFrom.current[way].get(node.id)
    const next = before !== undefined && ids.includes(before) ? before : ids[0]
    if (next !== undefined) cameFrom.current[way === 'left' ? 'right' : 'left'].set(next, node.id)
    return next
  }
  return (node: TraceNode, key: string): string | undefined => {
    const column = nodesIn(graph, node.column)
    switch (key) {
      case 'ArrowRight':
        return neighbour(node, 'right')
      case 'ArrowLeft':
        return neighbour(node, 'left')
      case 'ArrowDown':
        return column[column.indexOf(node) + 1]?.id
      case 'ArrowUp':
        return column[column.indexOf(node) - 1]?.id
      case 'Home':
        return column[0]?.id
      default:
        return column.at(-1)?.id
    }
  }
}

export type Walk = ReturnType<typeof useWalk>

const walkingKeys = new Set(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'Home', 'End'])

/** Whether a node can be opened and closed. */
export function canTurn(node: TraceNode): node is TraceNode & { readonly isOpen: boolean } {
  return node.kind === 'line' ? node.line.cuts.length > 0 : node.kind === 'group' && node.cuts.length > 1
}
