import { avatarPath } from '@astropelago/contract/avatars'
import type { OperatorUser } from '@astropelago/contract/operator'
import type { IsOperator } from './is-operator.ts'
import type { OperatorUserRecord } from './operator-users-store.ts'

export function presentOperatorUser(
  user: OperatorUserRecord,
  isOperator: IsOperator,
): OperatorUser {
  const { relayStopped } = user
  return {
    username: user.username,
    name: user.name,
    avatar: avatarPath(user.avatar),
    createdAt: new Date(user.createdMs).toISOString(),
    isDemo: user.isDemo,
    isOperator: isOperator(user),
    disabledAt: toIso(user.disabledMs),
    relayStopped: relayStopped && {
      at: new Date(relayStopped.atMs).toISOString(),
      reason: relayStopped.reason,
    },
    trustedAt: toIso(user.trustedMs),
    deviceCount: user.deviceCount,
    sessionCount: user.sessionCount,
    lastUsedAt: toIso(user.lastUsedMs),
  }
}

function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
