import { expect, it } from 'vitest'
import { operator } from '../../src/cli/heatmark/executor.ts'
import { approvalReviewer } from '../../src/policies/approvalReview.ts'
import { ruleTagger } from '../../src/policies/ruleTagging.ts'
import { authorName, authorsInGerman } from '../../src/portal/texts/authors.ts'
import { erasedName } from '../../src/projections/company/persons.ts'

it('names every author that is no person in German, and no other', () => {
  const names = [approvalReviewer.name, ruleTagger.name, operator.name, erasedName]
  expect([...authorsInGerman.keys()]).toEqual(names)
  expect(authorName('constructor', 'de')).toBe('constructor')
})
