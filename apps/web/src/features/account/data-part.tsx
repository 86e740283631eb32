import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isFirstLoad } from '../../lib/query-state.ts'
import { useUser } from '../../lib/use-user.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useOnDemand } from '../../ui/use-on-demand.ts'
import { useToast } from '../../ui/use-toast.ts'
import { DemoNotice } from './demo-notice.tsx'
import { OwnDataCard, ownDataQuery } from './own-data-card.tsx'

export function DataPart() {
  const { isDemo } = useUser()
  const query = useQuery(ownDataQuery)
  if (isFirstLoad(query)) {
    return (
      <div data-awaited>
        <Skeleton className="h-96 w-full rounded-card" />
      </div>
    )
  }
  return (
    <>
      <OwnDataCard query={query} />
      {isDemo ? <DemoNotice /> : <DeleteAccount />}
    </>
  )
}

const headingId = 'delete-account-heading'
const fetchDialog = async () => (await import('./delete-account-dialog.tsx')).DeleteAccountDialog

function DeleteAccount() {
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
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Delete your account"
        description="Your account and everything above is deleted at once. This can’t be undone."
      />
      <div>
        <Button variant="destructive" size="sm" onClick={() => void open()}>
          Delete account…
        </Button>
      </div>
      {dialog.step === 'ready' && isOpen && <dialog.Component onClose={() => setIsOpen(false)} />}
    </Card>
  )
}
