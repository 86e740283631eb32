import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useToast } from '../../ui/use-toast.ts'

/** The first part of every key of what this screen has asked for. */
export const operatorKey = 'operator'

interface ActionOptions<Input, Answer> {
  readonly act: (input: Input) => Promise<Answer>
  /** What is said when it is done; nothing where the screen shows it. */
  readonly done?: (answer: Answer, input: Input) => string
  readonly onDone?: (answer: Answer) => void
}

/**
 * Something that an operator does. When it is done the screen says so, and whatever it shows is asked for
 * anew: an action may change more than one part, the audit log always.
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
