import type { PointerEvent } from 'react'

/** Return the properties of an element at which a person points with the pointer or the focus. */
export function pointingProps(onPoint: () => void) {
  return {
    // A page that scrolls under a pointer at rest moves nothing.
    onPointerMove: ({ movementX, movementY }: PointerEvent) => {
      if (movementX !== 0 || movementY !== 0) onPoint()
    },
    onFocus: onPoint,
  }
}
