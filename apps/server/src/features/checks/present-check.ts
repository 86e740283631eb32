import type { OwnCheck, PublicCheck } from '@astropelago/contract/checks'
import { isoTime } from '../../iso-time.ts'
import type { CheckRecord } from './checks-store.ts'

export function presentOwnCheck(check: CheckRecord): OwnCheck {
  const { id, name, target, publicMs, isPaused, island, device, createdMs, hidden, state } = check
  return {
    id,
    name,
    target,
    visibility: publicMs === null ? 'private' : 'public',
    isPaused,
    island: island?.id ?? null,
    device: device?.id ?? null,
    status: state?.status ?? 'unobserved',
    since: isoTime(state?.sinceMs ?? null),
    checkedAt: isoTime(state?.lookedMs ?? null),
    note: state?.note ?? null,
    tookMs: state?.tookMs ?? null,
    createdAt: isoTime(createdMs),
    hidden: hidden && { at: isoTime(hidden.atMs), reason: hidden.reason },
  }
}

/** Since when everybody may see it; undefined if nobody else may. */
export function shownSince({
  publicMs,
  hidden,
}: Pick<CheckRecord, 'publicMs' | 'hidden'>): number | undefined {
  return hidden === null ? (publicMs ?? undefined) : undefined
}

/** From when the reader may see its history; undefined if it is as missing to the reader. */
export function visibleFrom(
  check: Pick<CheckRecord, 'userKey' | 'publicMs' | 'hidden'>,
  readerKey: number | null,
): number | undefined {
  return check.userKey === readerKey ? 0 : shownSince(check)
}

/** Leaves out since when, if that was before the reader might see it. */
export function presentCheck(check: CheckRecord, visibleFromMs: number): PublicCheck {
  const { id, name, target, state } = check
  const isKnown = state !== null && state.sinceMs >= visibleFromMs
  return {
    id,
    name,
    kind: target.kind,
    status: state?.status ?? 'unobserved',
    since: isoTime(isKnown ? state.sinceMs : null),
  }
}
