import { IslandPage } from './features/island/island-page.tsx'
import { useReportDialog } from './features/reports/use-report-dialog.tsx'

/**
 * An island's front page, handed a way to report it and what is written there. Beside routes.tsx, and not
 * in it, since what it needs would weigh on every page's first load.
 */
export function IslandWithReports() {
  const { open, dialog } = useReportDialog()
  return (
    <>
      <IslandPage report={open} />
      {dialog}
    </>
  )
}
