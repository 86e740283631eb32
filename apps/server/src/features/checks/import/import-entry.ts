import type { CheckImportEntry } from '@astropelago/contract/check-import'
import { checkImportNotes } from '@astropelago/contract/check-import-notes'
import { CheckTarget } from '@astropelago/contract/checks'
import { labelMaxLength, pushPeriodMaxS, pushPeriodMinS } from '@astropelago/contract/limits'
import { codePointLength, normalizeShortText } from '@astropelago/contract/text'
import * as v from 'valibot'

type Subject = CheckImportEntry['of']
type Read = Pick<CheckImportEntry, 'of' | 'name' | 'kind'>

const shownMaxLength = 150
const unnamed = 'Unnamed check'

/** @param typed its name in the file */
export function subject(of: Subject, kind: string, typed: string): Read {
  const name = normalizeShortText(typed.replaceAll(/\p{Cc}/gu, ' ')) ?? ''
  return { of, kind: shorten(kind, 64), name: shorten(name, shownMaxLength) }
}

export function entry(
  read: Read,
  notes: readonly string[],
  becomes: CheckImportEntry['becomes'],
): CheckImportEntry {
  return { ...read, notes: [...notes], becomes }
}

export function left(read: Read, note: string): CheckImportEntry {
  return entry(read, [note], { kind: 'nothing' })
}

interface FoundCheck {
  readonly sourceId: string
  readonly target: v.InferInput<typeof CheckTarget>
  readonly isPaused: boolean
  readonly pushHash?: string | null
  readonly notes: readonly string[]
}

/** A check for something with a name of its own; left if the contract has no place for its target. */
export function checkEntry(
  read: Read,
  { sourceId, target, isPaused, pushHash = null, notes }: FoundCheck,
): CheckImportEntry {
  const parsed = v.safeParse(CheckTarget, target)
  if (!parsed.success) {
    const { kind } = target
    return left(read, kind === 'push' ? checkImportNotes.badTarget : checkImportNotes.badAddress)
  }
  const name = shorten(read.name === '' ? unnamed : read.name, labelMaxLength)
  const isShortened = codePointLength(read.name) > labelMaxLength
  const all = isShortened ? [...notes, checkImportNotes.name(name)] : notes
  const { output } = parsed
  return entry(read, all, { kind: 'check', sourceId, name, target: output, isPaused, pushHash })
}

/**
 * A script's period and the time to wait for it. What is longer than a check's period becomes time to wait.
 * @returns undefined if that is too long too
 */
export function pushTarget(periodS: number, graceS: number) {
  const period = Math.min(Math.max(Math.round(periodS), pushPeriodMinS), pushPeriodMaxS)
  const grace = Math.max(0, Math.round(graceS) + Math.max(0, Math.round(periodS) - period))
  if (grace > pushPeriodMaxS) return undefined
  const notes = periodS > period ? [checkImportNotes.splitPeriod] : []
  return { target: { kind: 'push' as const, periodS: period, graceS: grace }, notes }
}

/** In code points, with a mark where something is missing. */
export function shorten(text: string, maxLength: number): string {
  if (codePointLength(text) <= maxLength) return text
  const points = Array.from(text).slice(0, maxLength - 1)
  return `${points.join('').trim()}…`
}
