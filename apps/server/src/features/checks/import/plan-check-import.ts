import { isDeepStrictEqual } from 'node:util'
import type { ChannelSettings } from '@astropelago/contract/alert-channels'
import type { CheckImportEntry, CheckImportReport } from '@astropelago/contract/check-import'
import { checkImportNotes } from '@astropelago/contract/check-import-notes'
import type { CheckTarget } from '@astropelago/contract/checks'
import type { ProbedTarget } from '../probe.ts'
import type { ImportedCheck, StoredChecks } from './check-imports-store.ts'

type Becomes<Kind extends CheckImportEntry['becomes']['kind']> = Extract<
  CheckImportEntry['becomes'],
  { kind: Kind }
>
type FoundCheck = Becomes<'check'>
type FoundChannel = Becomes<'channel'>
type Line = CheckImportReport['lines'][number]

export interface ImportSurroundings {
  readonly userKey: number
  readonly known: StoredChecks
  readonly channels: readonly Pick<FoundChannel, 'settings'>[]
  readonly channelsMax: number
  readonly canSendMail: boolean
  /** The title and the checks of the user's status page. */
  readonly page: { readonly title: string | null; readonly checks: readonly string[] }
  /** `private`: only an agent at home could look at it. `refused`: nobody ever looks at it. */
  readonly judge: (target: ProbedTarget) => 'private' | 'refused' | undefined
  readonly isChannelRefused: (settings: ChannelSettings) => boolean
}

export interface CheckImportPlan {
  readonly lines: readonly Line[]
  readonly created: readonly FoundCheck[]
  readonly updated: readonly (FoundCheck & { readonly key: number })[]
  readonly channels: readonly FoundChannel[]
  readonly page: Becomes<'status-page'> | undefined
}

/** What becomes of each entry of a file, in its order. */
export function planCheckImport(
  entries: readonly CheckImportEntry[],
  surroundings: ImportSurroundings,
): CheckImportPlan {
  const { known, channelsMax } = surroundings
  const imported = new Map(known.imported.map((check) => [check.sourceId, check]))
  const seen = new Set<string>()
  const hashes = new Set<string>()
  const created: FoundCheck[] = []
  const updated: (FoundCheck & { readonly key: number })[] = []
  const channels: FoundChannel[] = []
  let page: Becomes<'status-page'> | undefined

  const planCheck = (found: FoundCheck, notes: readonly string[]): Planned => {
    const { sourceId, target } = found
    if (seen.has(sourceId)) return leave(checkImportNotes.twice)
    seen.add(sourceId)
    const judged = target.kind === 'push' ? undefined : surroundings.judge(target)
    if (judged === 'refused') return leave(checkImportNotes.badAddress)
    const before = imported.get(sourceId)
    if (before !== undefined && isOtherKind(before.target, target)) {
      return leave(checkImportNotes.otherKind)
    }
    const ofHash = found.pushHash === null ? undefined : known.pushHashes.get(found.pushHash)
    const isTaken =
      found.pushHash !== null &&
      (hashes.has(found.pushHash) ||
        (ofHash !== undefined &&
          (ofHash.userKey !== surroundings.userKey || ofHash.sourceId !== sourceId)))
    if (found.pushHash !== null) hashes.add(found.pushHash)
    const pushHash = isTaken ? null : found.pushHash
    const all = notes.map((note) =>
      isTaken && note === checkImportNotes.pushAddress ? checkImportNotes.newAddress : note,
    )
    if (before !== undefined) {
      const check = { ...found, pushHash }
      const isUnchanged = isSame(before, check)
      if (!isUnchanged) updated.push({ ...check, key: before.key })
      const action = isUnchanged ? 'unchanged' : 'update'
      return { action, becomes: target.kind, isPaused: false, notes: isUnchanged ? [] : all }
    }
    const isPrivate = judged === 'private'
    const isPaused = found.isPaused || isPrivate
    created.push({ ...found, pushHash, isPaused })
    if (isPrivate) {
      all.push(target.kind === 'ping' ? checkImportNotes.ping : checkImportNotes.privateTarget)
    }
    return { action: 'create', becomes: target.kind, isPaused, notes: all }
  }

  const isPageSame = ({ sourceIds }: Becomes<'status-page'>) => {
    const { title, checks } = surroundings.page
    const made = new Set(created.map(({ sourceId }) => sourceId))
    const isThere = (sourceId: string) => {
      const before = imported.get(sourceId)
      return before === undefined ? !made.has(sourceId) : checks.includes(before.id)
    }
    return title !== null && sourceIds.every(isThere)
  }

  const planChannel = (found: FoundChannel, notes: readonly string[]): Planned => {
    const { settings } = found
    const isKnown = [...surroundings.channels, ...channels].some((channel) =>
      isDeepStrictEqual(channel.settings, settings),
    )
    const outcome = { becomes: settings.kind, isPaused: false }
    if (isKnown) {
      return { ...outcome, action: 'unchanged', notes: [checkImportNotes.knownChannel] }
    }
    if (surroundings.isChannelRefused(settings)) return leave(checkImportNotes.privateChannel)
    if (settings.kind === 'email' && !surroundings.canSendMail) {
      return leave(checkImportNotes.mailOff)
    }
    if (surroundings.channels.length + channels.length >= channelsMax) {
      return leave(checkImportNotes.channelLimit)
    }
    channels.push(found)
    return { ...outcome, action: 'create', notes: [...notes] }
  }

  const lines = entries.map(({ becomes, notes, ...read }): Line => {
    switch (becomes.kind) {
      case 'check':
        return { ...read, ...planCheck(becomes, notes) }
      case 'channel':
        return { ...read, ...planChannel(becomes, notes) }
      case 'status-page': {
        const action = isPageSame(becomes) ? 'unchanged' : 'update'
        if (action === 'update') page = becomes
        return { ...read, action, becomes: null, isPaused: false, notes }
      }
      default:
        return { ...read, action: 'leave', becomes: null, isPaused: false, notes }
    }
  })
  return { lines, created, updated, channels, page }
}

type Planned = Pick<Line, 'action' | 'becomes' | 'isPaused' | 'notes'>

function leave(note: string): Planned {
  return { action: 'leave', becomes: null, isPaused: false, notes: [note] }
}

/** Scripts report to the one, and never to the other. */
function isOtherKind(before: CheckTarget, target: CheckTarget): boolean {
  return (before.kind === 'push') !== (target.kind === 'push')
}

/** What people set here stays: whether it is paused, who sees it, its island and a new address. */
function isSame(before: ImportedCheck, { name, target, pushHash }: FoundCheck): boolean {
  const getsAddress = pushHash !== null && !before.hasPushAddress
  return !getsAddress && before.name === name && isDeepStrictEqual(before.target, target)
}
