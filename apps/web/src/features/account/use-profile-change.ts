import type { User } from '@astropelago/contract/me'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { showUser } from '../../lib/session.ts'

/** A change of the user's profile, shown on the whole page. Changes run one at a time: the last press wins. */
export function useProfileChange<Change = void>(
  change: (change: Change) => Promise<{ user: User }>,
  onChanged?: (user: User) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    scope: { id: 'profile' },
    onSuccess: ({ user }) => {
      showUser(client, user)
      onChanged?.(user)
    },
  })
}
