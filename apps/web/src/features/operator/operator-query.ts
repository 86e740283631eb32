import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useToast } from '../../ui/use-toast.ts'

/** The first part of all query keys of this screen. */
export const operatorKey = 'operator'

interface ActionOptions<Input, Answer> {
  readonly act: (input: Input) => Promise<Answer>
  /** The message after success. Absent if the screen itself shows the result. */
  readonly done?: (answer: Answer, input: Input) => string
  readonly onDone?: (answer: Answer) => void
}

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

/** An operator's action. */
export function useAction<Input = void, Answer = unknown>({
  act,
  done,
  onDone,
}: ActionOptions<Input, Answer>) {
  const after = useAfterAction()
  return useMutation({
    mutationFn: act,
    onSuccess: (answer, input) => {
      after(done?.(answer, input))
      onDone?.(answer)
    },
  })
}
