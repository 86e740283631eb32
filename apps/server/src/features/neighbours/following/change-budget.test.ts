import { expect, test } from 'vitest'
import { StatementRefused } from '../statements.ts'
import { ChangeBudget } from './change-budget.ts'

test('[F23] 20,000 changes at once, and 1,000 a second', () => {
  let nowMs = 0
  const budget = new ChangeBudget(() => nowMs)
  budget.takeChanges(20_000)
  nowMs += 5000
  budget.takeChanges(5000)
  expect(() => budget.takeChanges(1)).toThrow(StatementRefused)
})

test('[F23] 20 snapshots an hour', () => {
  let nowMs = 0
  const budget = new ChangeBudget(() => nowMs)
  for (let at = 0; at < 20; at += 1) budget.takeSnapshot()
  nowMs += 3_599_999
  expect(() => budget.takeSnapshot()).toThrow(StatementRefused)
  nowMs += 3_600_001
  budget.takeSnapshot()
})
