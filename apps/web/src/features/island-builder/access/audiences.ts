import type { AccessPolicy } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'

export interface AccessChoice {
  readonly access: AccessPolicy
  readonly isListed: boolean
}

/** What a group of users other than the host can do with an island. */
export interface Audience {
  readonly who: 'everybody' | 'navigators' | 'members'
  /**
   * Whether they find it in lists. If not, only those who have its address can see it, and only if `knows`
   * is true.
   */
  readonly finds: boolean
  readonly knows: boolean
  readonly enters: boolean
}

/** What each group sees of a published island. Blocked users count as signed out. */
export function audiences({ access, isListed }: AccessChoice): readonly Audience[] {
  const isPublic = access === 'public'
  const isForNavigators = isPublic || access === 'members'
  return [
    { who: 'everybody', finds: isListed, knows: isListed || isPublic, enters: isPublic },
    {
      who: 'navigators',
      finds: isListed,
      knows: isListed || isForNavigators,
      enters: isForNavigators,
    },
    { who: 'members', finds: true, knows: true, enters: true },
  ]
}

/** Whether everybody may know about the island. If so, its address may be guessable. */
export function isKnownToAll(choice: AccessChoice): boolean {
  return audiences(choice).some(({ who, knows }) => who === 'everybody' && knows)
}

export function audienceText({ who, finds, knows, enters }: Audience): string {
  if (who === 'members')
    return t`They find it among their islands. They can enter and see who else is a member.`
  if (!knows) return t`They can’t see that it exists.`
  if (who === 'everybody') {
    if (!enters) return t`They can find it in Explore and read its page.`
    return finds
      ? t`They can find it in Explore, read its page, enter, and read its log.`
      : t`They can read its page, enter, and read its log, but only with its address.`
  }
  if (!enters) return t`They can find it in Explore, read its page, and ask you to be let in.`
  return finds
    ? t`They can find it in Explore, read its page, enter, leave notes, and join.`
    : t`They can read its page, enter, leave notes, and join, but only with its address.`
}
