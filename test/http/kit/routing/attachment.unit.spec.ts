import { describe, expect, it } from 'vitest'
import { attachmentHeader } from '../../../../src/http/kit/routing/attachment.ts'

describe('Content-Disposition', () => {
  it.each([
    ['certificate 1.pdf', 'filename="certificate 1.pdf"'],
    ['50%41.pdf', `filename="50_41.pdf"; filename*=UTF-8''50%2541.pdf`],
    ['50% off.pdf', `filename="50_ off.pdf"; filename*=UTF-8''50%25%20off.pdf`],
    [
      "Łódź ü'(*).pdf",
      `filename="__d_ _'(*).pdf"; filename*=UTF-8''%C5%81%C3%B3d%C5%BA%20%C3%BC%27%28%2A%29.pdf`,
    ],
    ['a"b\\c\r\n.pdf', `filename="a_b_c__.pdf"; filename*=UTF-8''a%22b%5Cc%0D%0A.pdf`],
    ['\udfff😀.pdf', `filename="__.pdf"; filename*=UTF-8''%EF%BF%BD%F0%9F%98%80.pdf`],
  ])('names the file %j', (name, value) => expect(attachmentHeader(name)).toBe(`attachment; ${value}`))

  it('has no percent sign in filename=, whatever the name', () => {
    for (const name of ['%', '%%20', 'a%zz', '100%'])
      expect(attachmentHeader(name)).toMatch(/^attachment; filename="[^"%]*"; filename\*=UTF-8''/)
  })
})
