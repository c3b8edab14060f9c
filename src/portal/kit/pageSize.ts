/** In points. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

/** Return left, top, width and height of a box as shares of its page. */
export function sharesOf(
  [left = 0, bottom = 0, right = 0, top = 0]: readonly number[],
  { width, height }: PageSize,
): [number, number, number, number] {
  return [left / width, 1 - top / height, (right - left) / width, (top - bottom) / height]
}
