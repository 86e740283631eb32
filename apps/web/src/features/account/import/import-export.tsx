import { exportDevices } from '@astropelago/contract/devices-csv'
import { useState } from 'react'
import Download from 'virtual:icon/download'
import Upload from 'virtual:icon/upload'
import { routeUrl } from '../../../lib/call.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { useOnDemand } from '../../../ui/use-on-demand.ts'
import { useToast } from '../../../ui/use-toast.ts'

const fetchDialog = async () => (await import('./import-dialog.tsx')).ImportDialog

/** Import and export of many devices at once. */
export function ImportExport() {
  const [isOpen, setIsOpen] = useState(false)
  const [dialog, loadDialog] = useOnDemand(fetchDialog)
  const showToast = useToast()
  const open = async () => {
    if (await loadDialog()) setIsOpen(true)
    else {
      showToast({
        title: 'This could not be loaded',
        description: 'Check the connection and try again.',
        tone: 'failure',
      })
    }
  }
  return (
    <>
      <Button variant="outline" onClick={() => void open()}>
        <Upload aria-hidden />
        Import CSV
      </Button>
      <a
        href={routeUrl(exportDevices, {})}
        download="devices.csv"
        className={buttonStyles({ variant: 'outline' })}
      >
        <Download aria-hidden />
        Export CSV
      </a>
      {dialog.step === 'ready' && isOpen && <dialog.Component onClose={() => setIsOpen(false)} />}
    </>
  )
}
