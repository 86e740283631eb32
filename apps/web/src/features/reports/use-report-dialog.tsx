import { useState } from 'react'
import { useOnDemand } from '../../ui/use-on-demand.ts'
import { useToast } from '../../ui/use-toast.ts'
import type { ReportedSubject } from './report-dialog.tsx'

const fetchDialog = async () => (await import('./report-dialog.tsx')).ReportDialog

/** The report dialog, whose code is loaded on first use. */
export function useReportDialog() {
  const [subject, setSubject] = useState<ReportedSubject>()
  const [dialog, loadDialog] = useOnDemand(fetchDialog)
  const showToast = useToast()
  const open = async (reported: ReportedSubject) => {
    if (await loadDialog()) setSubject(reported)
    else {
      showToast({
        title: 'This could not be loaded',
        description: 'Check the connection and try again.',
        tone: 'failure',
      })
    }
  }
  return {
    open: (reported: ReportedSubject) => void open(reported),
    /** Render it outside the button that opens it, because that may disappear. */
    dialog: dialog.step === 'ready' && subject !== undefined && (
      <dialog.Component subject={subject} onClose={() => setSubject(undefined)} />
    ),
  }
}
