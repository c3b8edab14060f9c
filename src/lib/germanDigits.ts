/**
 * Write the digits of a number as German does. From five digits on, a space parts the thousands: in a mill certificate,
 * the dot of "6.000 mm" could be a decimal sign.
 */
export function germanDigits(digits: string): string {
  const [whole = '', ...decimals] = digits.split('.')
  const parted = /\d{5}/.test(whole) ? whole.replaceAll(/\B(?=(?:\d{3})+$)/g, '\u00a0') : whole
  return [parted, ...decimals].join(',')
}
