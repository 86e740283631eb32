import { useDialog } from '../../ui/use-dialog.tsx'
import type { ReportedSubject } from './report-dialog.tsx'

const fetchDialog = async () => (await import('./report-dialog.tsx')).ReportDialog

export function useReportDialog() {
  const { open, dialog } = useDialog<{ subject: ReportedSubject }>(fetchDialog)
  return { open: (subject: ReportedSubject) => open({ subject }), dialog }
}
