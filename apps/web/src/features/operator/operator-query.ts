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
 * An operator's action. After success the screen shows a message and reloads all its data, because an
 * action can change several parts, and always the audit log.
 */
export function useAction<Input = void, Answer = unknown>({
  act,
  done,
  onDone,
}: ActionOptions<Input, Answer>) {
  const client = useQueryClient()
  const showToast = useToast()
  return useMutation({
    mutationFn: act,
    onSuccess: (answer, input) => {
      void client.invalidateQueries({ queryKey: [operatorKey] })
      if (done !== undefined) showToast({ title: done(answer, input) })
      onDone?.(answer)
    },
  })
}
