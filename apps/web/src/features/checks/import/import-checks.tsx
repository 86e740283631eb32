import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Upload from 'virtual:icon/upload'
import { Button } from '../../../ui/button.tsx'
import { useDialog } from '../../../ui/use-dialog.tsx'

const fetchDialog = async () => (await import('./import-dialog.tsx')).ImportDialog

export function ImportChecks() {
  const { open, dialog } = useDialog(fetchDialog)
  return (
    <>
      <Button
        variant="outline"
        title={t`From Uptime Kuma or Healthchecks`}
        onClick={() => open({})}
      >
        <Upload aria-hidden />
        <Trans>Import</Trans>
      </Button>
      {dialog}
    </>
  )
}
