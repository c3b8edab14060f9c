/** Readable text on a colour that somebody chose (WCAG 2.2, 1.4.3). */

const black = '#000000'
const white = '#ffffff'

/** Return black or white, whichever has more contrast on the background. The better one always has 4.5:1 or more. */
export function textOn(background: string): string {
  return contrast(background, black) >= contrast(background, white) ? black : white
}

/** @param colour #RGB or #RRGGBB */
export function longColour(colour: string): string {
  return colour.length === 4 ? colour.replace(/[^#]/g, '$&$&') : colour
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const channels = longColour(colour).match(/[0-9a-f]{2}/gi) ?? []
  const [red = 0, green = 0, blue = 0] = channels.map((hex) => {
    const share = Number.parseInt(hex, 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
