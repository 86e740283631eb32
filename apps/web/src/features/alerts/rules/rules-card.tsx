import { useQuery } from '@tanstack/react-query'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { ownAlertsQuery } from '../alerts-query.ts'
import { DifferingThings } from '../things/differing-things.tsx'
import { RulesForm } from './rules-form.tsx'

const headingId = 'alert-rules-heading'

/** Which alerts the user gets, and when. */
export function RulesCard() {
  const query = useQuery(ownAlertsQuery)
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="What to tell you"
        description="For all your devices and islands. When many go offline at once, you get one message."
      />
      {query.isLoading && <Skeleton className="h-64 w-full rounded-control" />}
      {query.data && (
        <>
          <RulesForm rules={query.data.rules} />
          <DifferingThings things={query.data.differing} />
        </>
      )}
      <ListFailure query={query} of="rules" />
    </Card>
  )
}
