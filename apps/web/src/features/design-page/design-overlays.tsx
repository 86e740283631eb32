import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { DesignRow, DesignSection } from './design-section.tsx'

/** Components above the page, each behind a button that opens it. */
export function DesignOverlays() {
  const showToast = useToast()
  const [openDialog, setOpenDialog] = useState<'narrow' | 'wide'>()
  return (
    <DesignSection title="Dialogs, menus and toasts">
      <DesignRow>
        <Button variant="outline" onClick={() => setOpenDialog('narrow')}>
          Open a dialog
        </Button>
        <Button variant="outline" onClick={() => setOpenDialog('wide')}>
          Open a wide dialog
        </Button>
        <Menu trigger={<Button variant="outline">Open a menu</Button>}>
          <MenuLabel>Signed in as nova</MenuLabel>
          <MenuItem>An item</MenuItem>
          <MenuSeparator />
          <MenuItem disabled>A disabled item</MenuItem>
        </Menu>
        <Button variant="outline" onClick={() => showToast({ title: 'Saved' })}>
          Show a toast
        </Button>
        <Button
          variant="outline"
          onClick={() =>
            showToast({ title: 'Not saved', description: 'Try again.', tone: 'failure' })
          }
        >
          Show a failure
        </Button>
      </DesignRow>
      <Dialog
        open={openDialog !== undefined}
        onOpenChange={(open) => {
          if (!open) setOpenDialog(undefined)
        }}
        title="A dialog"
        description="It says what it is for."
        wide={openDialog === 'wide'}
      >
        <Button onClick={() => setOpenDialog(undefined)}>Done</Button>
      </Dialog>
    </DesignSection>
  )
}
