import type { OwnIsland } from '@astropelago/contract/islands'
import { Link } from 'react-router'
import { RelayedStatus } from '../../../islands/relayed-status.tsx'
import { paths } from '../../../paths.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'

/** The state of an island on the relay: its address, whether it can be reached, and any problem. */
export function RelayCard({ island: { id, relayAddress, carrier } }: { island: OwnIsland }) {
  const toConnect = paths.connectHosting(carrier?.id, id)
  return (
    <Card aria-labelledby="relay-heading">
      <CardHeader
        id="relay-heading"
        title="Relay"
        description={
          carrier === null ? (
            'It runs on no device yet. Choose one below.'
          ) : (
            <>
              It runs on <bdi className="text-ink">{carrier.label}</bdi>.
            </>
          )
        }
      >
        <Link to={toConnect} className={buttonStyles({ variant: 'outline', size: 'sm' })}>
          Show the block to paste
        </Link>
      </CardHeader>
      <RelayedStatus islandId={id} address={relayAddress} />
      {relayAddress !== null && <CodeBlock label="Where visitors enter" text={relayAddress} />}
    </Card>
  )
}
