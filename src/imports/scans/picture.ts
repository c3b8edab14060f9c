/** A picture in shades of grey: 0 is black, 255 is white. Rows from the top, and in each row from the left. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly grey: Uint8Array
}

/** Left, top, right, bottom in pixels from the upper left corner. */
export type PixelBox = readonly [number, number, number, number]

/** Return the shade at a point between pixels. Beyond the edge, the edge goes on. */
export function shadeAt({ width, height, grey }: Picture, x: number, y: number): number {
  const left = clamp(Math.floor(x), width - 1)
  const top = clamp(Math.floor(y), height - 1)
  const right = Math.min(left + 1, width - 1)
  const below = Math.min(top + 1, height - 1)
  const alongX = clamp(x - left, 1)
  const alongY = clamp(y - top, 1)
  const upper = grey[top * width + left]! * (1 - alongX) + grey[top * width + right]! * alongX
  const lower = grey[below * width + left]! * (1 - alongX) + grey[below * width + right]! * alongX
  return upper * (1 - alongY) + lower * alongY
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most)
}

/** Return the shade that parts ink from paper best (the method of Otsu, 1979). */
export function inkThreshold({ grey }: Picture): number {
  const counts = new Float64Array(256)
  for (const shade of grey) counts[shade]! += 1
  const all = grey.length
  const sum = counts.reduce((total, count, shade) => total + count * shade, 0)
  let [dark, darkSum, best, threshold] = [0, 0, -1, 127]
  for (let shade = 0; shade < 255; shade += 1) {
    dark += counts[shade]!
    darkSum += counts[shade]! * shade
    if (dark === 0 || dark === all) continue
    const between = dark * (all - dark) * (darkSum / dark - (sum - darkSum) / (all - dark)) ** 2
    if (between > best) [best, threshold] = [between, shade]
  }
  return threshold
}

/** How a straightened picture lies on the page: turned clockwise by quarters, then by an angle around its middle. */
export interface Turn {
  readonly quarters: 0 | 1 | 2 | 3
  /** Radians, clockwise. */
  readonly angle: number
}

/** Return the picture turned, so that a text that ran along `turn` is upright, and the places of its points in the original. */
export function straighten(picture: Picture, turn: Turn): Picture {
  const quartered = quarterTurned(picture, turn.quarters)
  if (turn.angle === 0) return quartered
  const { width, height } = quartered
  const grey = new Uint8Array(width * height)
  const place = rotationOf(width, height, turn.angle)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [fromX, fromY] = place(x, y)
      const isOutside = fromX < 0 || fromY < 0 || fromX > width - 1 || fromY > height - 1
      grey[y * width + x] = isOutside ? 255 : Math.round(shadeAt(quartered, fromX, fromY))
    }
  return { width, height, grey }
}

function quarterTurned(picture: Picture, quarters: Turn['quarters']): Picture {
  if (quarters === 0) return picture
  const { width, height } = picture
  const [turnedWidth, turnedHeight] = quarters === 2 ? [width, height] : [height, width]
  const grey = new Uint8Array(width * height)
  for (let y = 0; y < turnedHeight; y += 1)
    for (let x = 0; x < turnedWidth; x += 1) {
      const [fromX, fromY] = beforeQuarters(x, y, width, height, quarters)
      grey[y * turnedWidth + x] = picture.grey[fromY * width + fromX]!
    }
  return { width: turnedWidth, height: turnedHeight, grey }
}

/** @param width of the picture before it was turned @param height of the picture before it was turned */
function beforeQuarters(
  x: number,
  y: number,
  width: number,
  height: number,
  quarters: Turn['quarters'],
): readonly [number, number] {
  if (quarters === 1) return [width - 1 - y, x]
  if (quarters === 2) return [width - 1 - x, height - 1 - y]
  if (quarters === 3) return [y, height - 1 - x]
  return [x, y]
}

function rotationOf(width: number, height: number, angle: number) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [middleX, middleY] = [(width - 1) / 2, (height - 1) / 2]
  return (x: number, y: number): readonly [number, number] => [
    middleX + (x - middleX) * cos - (y - middleY) * sin,
    middleY + (x - middleX) * sin + (y - middleY) * cos,
  ]
}

/** Return the box in the original that holds a box of the straightened picture. */
export function boxBefore([left, top, right, bottom]: PixelBox, original: Picture, turn: Turn): PixelBox {
  const isSideways = turn.quarters % 2 === 1
  const [width, height] = isSideways ? [original.height, original.width] : [original.width, original.height]
  const place = rotationOf(width, height, turn.angle)
  const corners = [
    [left, top],
    [right, top],
    [left, bottom],
    [right, bottom],
  ].map(([x, y]) => {
    const [turnedX, turnedY] = place(x!, y!)
    return beforeQuarters(turnedX, turnedY, original.width, original.height, turn.quarters)
  })
  const xs = corners.map(([x]) => x)
  const ys = corners.map(([, y]) => y)
  return [
    clamp(Math.min(...xs), original.width),
    clamp(Math.min(...ys), original.height),
    clamp(Math.max(...xs), original.width),
    clamp(Math.max(...ys), original.height),
  ]
}
