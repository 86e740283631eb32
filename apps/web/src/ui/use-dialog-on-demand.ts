import { type ComponentType, useState } from 'react'
import { useOnDemand } from './use-on-demand.ts'
import { useToast } from './use-toast.ts'

/**
 * A dialog whose code loads when it first opens, and what it is open for; undefined while it is closed. If
 * loading fails, a toast says so.
 */
export function useDialogOnDemand<P, Subject = true>(fetchDialog: () => Promise<ComponentType<P>>) {
  const [subject, setSubject] = useState<Subject>()
  const [dialog, load] = useOnDemand(fetchDialog)
  const showToast = useToast()
  const open = async (wanted: Subject) => {
    if (await load()) setSubject(wanted)
    else {
      showToast({
        title: 'This could not be loaded',
        description: 'Check the connection and try again.',
        tone: 'failure',
      })
    }
  }
  return {
    subject,
    open: (wanted: Subject) => void open(wanted),
    close: () => setSubject(undefined),
    Dialog: dialog.step === 'ready' && subject !== undefined ? dialog.Component : undefined,
  }
}
