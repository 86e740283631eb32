import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useBlockChanges } from '../../../islands/blocks-query.ts'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { useToast } from '../../../ui/use-toast.ts'

export function useBlocking(islandId: string) {
  const showToast = useToast()
  return useMutation({
    mutationFn: useBlockChanges(islandId).block,
    onSuccess: (_, username) => showToast({ title: `${username} is blocked` }),
  })
}

interface BlockButtonProps {
  readonly username: string
  readonly blocking: ReturnType<typeof useBlocking>
  /** The consequences. */
  readonly children: ReactNode
}

export function BlockButton({ username, blocking, children }: BlockButtonProps) {
  return (
    <AskFirst
      label="Block"
      name={`Block ${username}`}
      keep="Don’t block"
      confirm="Block"
      busy={blocking.isPending}
      onConfirm={() => blocking.mutate(username)}
    >
      {children}
    </AskFirst>
  )
}
