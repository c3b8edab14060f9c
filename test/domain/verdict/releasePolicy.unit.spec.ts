import { describe, expect, it } from 'vitest'
import {
  changesOfPolicy,
  defaultReleasePolicy,
  severityOf,
} from '../../../src/domain/verdict/releasePolicy.ts'

describe('the severity of a finding', () => {
  const policy = {
    ...defaultReleasePolicy,
    severities: { 'no-certificate': 'Audit', 'profile-mismatch': 'Flag' },
    byExecutionClass: { EXC4: { 'no-certificate': 'Off' } },
  } as const

  it('is that of the execution class, else that of the company, else the default', () => {
    expect(severityOf(policy, 'no-certificate', null)).toBe('Audit')
    expect(severityOf(policy, 'no-certificate', 'EXC2')).toBe('Audit')
    expect(severityOf(policy, 'no-certificate', 'EXC4')).toBe('Off')
    expect(severityOf(policy, 'profile-mismatch', 'EXC4')).toBe('Flag')
    expect(severityOf(policy, 'grade-mismatch', 'EXC4')).toBe('Block')
  })

  it('is the default of the class before that of the company for all classes', () => {
    expect(severityOf(policy, 'no-certificate', 'EXC3')).toBe('Block')
  })
})

it('is the same policy when it only states the defaults', () => {
  const stated = { ...defaultReleasePolicy, severities: { 'no-certificate': 'Flag' } } as const
  expect(changesOfPolicy(defaultReleasePolicy, stated)).toEqual([])
})

it('is another policy when an entry of a class is gone', () => {
  const ofClass = {
    ...defaultReleasePolicy,
    byExecutionClass: { EXC1: { 'no-certificate': 'Off' } },
  } as const
  const field = 'byExecutionClass/EXC1/no-certificate'
  expect(changesOfPolicy(defaultReleasePolicy, ofClass)).toEqual([{ field, from: null, to: 'Off' }])
  expect(changesOfPolicy(ofClass, defaultReleasePolicy)).toEqual([{ field, from: 'Off', to: null }])
})
