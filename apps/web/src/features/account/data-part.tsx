import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { isFirstLoad } from '../../lib/query-state.ts'
import { useUser } from '../../lib/use-user.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { AwaitedSkeleton } from '../../ui/skeleton.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { DemoNotice } from './demo-notice.tsx'
import { HoldingsCard } from './holdings-card.tsx'
import { OwnDataCard, ownDataQuery } from './own-data-card.tsx'

export function DataPart() {
  const { isDemo } = useUser()
  const query = useQuery(ownDataQuery)
  if (isFirstLoad(query)) {
    return <AwaitedSkeleton className="h-96 w-full rounded-card" />
  }
  return (
    <>
      <OwnDataCard query={query} />
      <HoldingsCard />
      {isDemo ? <DemoNotice /> : <DeleteAccount />}
    </>
  )
}

const fetchDialog = async () => (await import('./delete-account-dialog.tsx')).DeleteAccountDialog

function DeleteAccount() {
  const { open, dialog } = useDialog(fetchDialog)
  return (
    <Card
      title={t`Delete your account`}
      description={t`Your account and everything above is deleted at once. This can’t be undone.`}
    >
      <div>
        <Button variant="destructive" size="sm" onClick={() => open({})}>
          <Trans>Delete account…</Trans>
        </Button>
      </div>
      {dialog}
    </Card>
  )
}
