import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useToast } from '../../ui/use-toast.ts'

/** The first part of all query keys of this screen. */
export const operatorKey = 'operator'

/**
 * Returns a function to call after an operator's action. It shows a message and reloads all data of the
 * screen, because an action can change several parts, and always the audit log.
 */
export function useAfterAction(): (message?: string) => void {
  const client = useQueryClient()
  const showToast = useToast()
  return (message) => {
    void client.invalidateQueries({ queryKey: [operatorKey] })
    if (message !== undefined) showToast({ title: message })
  }
}

/** An action that needs no confirmation, and the message after it. */
export function useAction(act: () => Promise<unknown>, done: string) {
  const after = useAfterAction()
  return useMutation({ mutationFn: act, onSuccess: () => after(done) })
}
