import { useUser } from '../../lib/use-user.ts'
import { ChannelsCard } from './channels/channels-card.tsx'
import { MaintenanceCard } from './maintenance/maintenance-card.tsx'
import { MessagesCard } from './messages/messages-card.tsx'
import { RulesCard } from './rules/rules-card.tsx'

export function AlertsPart() {
  const { isDemo } = useUser()
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <ChannelsCard />
      {/* A demo account has no channels, so it gets no alerts. */}
      {!isDemo && (
        <>
          <RulesCard />
          <MaintenanceCard />
          <MessagesCard />
        </>
      )}
    </div>
  )
}
