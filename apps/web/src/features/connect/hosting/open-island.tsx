import type { OwnIsland } from '@astropelago/contract/islands'
import { Link } from 'react-router'
import ExternalLink from 'virtual:icon/external-link'
import Settings2 from 'virtual:icon/settings-2'
import { RelayedStatus } from '../../../lib/islands/relayed-status.tsx'
import { paths } from '../../../paths.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Signal } from '../signal.tsx'

interface OpenIslandProps {
  island: OwnIsland
  /** Whether an agent is there. */
  isOpen: boolean
}

/** The last step of hosting: waits for the agent, then leads to the island as visitors see it. */
export function OpenIsland({ island, isOpen }: OpenIslandProps) {
  const { id, slug, name, relayAddress, publishedAt } = island
  return (
    <>
      {!isOpen && (
        <div className="flex min-w-0 items-center gap-5 rounded-control border border-line-strong bg-ground/60 p-5 max-sm:flex-col max-sm:items-start">
          <Signal />
          <div className="flex min-w-0 flex-col gap-1">
            <p className="font-display text-title font-semibold wrap-anywhere">
              Waiting for the agent of <bdi>{name}</bdi>
            </p>
            <p className="text-sm text-muted">
              Paste the block above: this page shows it within seconds.
            </p>
          </div>
        </div>
      )}
      <RelayedStatus key={relayAddress} islandId={id} address={relayAddress} />
      {publishedAt === null && (
        <p className="text-sm text-muted">
          It is a draft, which nobody but you can enter.{' '}
          <Link
            to={paths.newIsland(id, 'publish')}
            className="text-accent underline underline-offset-4"
          >
            Publish it
          </Link>{' '}
          to let others in.
        </p>
      )}
      {relayAddress !== null && isOpen && (
        <>
          <div className="flex flex-wrap gap-3">
            <a
              href={relayAddress}
              target="_blank"
              rel="noopener noreferrer"
              referrerPolicy="no-referrer"
              className={buttonStyles()}
            >
              Open your island
              <ExternalLink aria-hidden />
              <span className="sr-only">(in a new tab)</span>
            </a>
            <Link to={paths.islandSettings(slug)} className={buttonStyles({ variant: 'outline' })}>
              <Settings2 aria-hidden />
              Its settings
            </Link>
          </div>
          <CodeBlock label="Share it: its address" text={relayAddress} />
        </>
      )}
    </>
  )
}
