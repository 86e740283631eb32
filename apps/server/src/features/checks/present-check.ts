import type { OwnCheck, PublicCheck } from '@astropelago/contract/checks'
import { isoTime } from '../../iso-time.ts'
import type { CheckRecord } from './checks-store.ts'

export function presentOwnCheck(check: CheckRecord): OwnCheck {
  const { id, name, target, publicMs, isPaused, island, device, createdMs, state } = check
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
  }
}

/** From when the reader may see its history; undefined if it is as missing to the reader. */
export function visibleFrom(
  { userKey, publicMs }: Pick<CheckRecord, 'userKey' | 'publicMs'>,
  readerKey: number | null,
): number | undefined {
  return userKey === readerKey ? 0 : (publicMs ?? undefined)
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
