import { addressOfSlug } from '@astropelago/contract/island-relay'
import Waypoints from 'virtual:icon/waypoints'

interface RelayAddressNoteProps {
  /** The pattern of addresses from the server; null if it has no relay. */
  addresses: string | null
  slug: string
  /** Whether the access policy is still undecided. */
  isPlanned: boolean
}

/** The address at which visitors reach an island on the relay. */
export function RelayAddressNote({ addresses, slug, isPlanned }: RelayAddressNoteProps) {
  return (
    <p className="flex items-start gap-3 rounded-control border border-line-strong bg-raised px-4 py-3 text-sm text-muted">
      <Waypoints aria-hidden className="mt-0.5 size-4 shrink-0 text-island" />
      {addresses === null ? (
        <span>
          This server no longer has a relay, so nobody can enter. The operator of this server can
          turn it on. Until then, choose a link.
        </span>
      ) : (
        <span className="min-w-0">
          Visitors open{' '}
          <bdi dir="ltr" className="font-mono wrap-anywhere text-ink">
            {addressOfSlug(addresses, slug || 'your-island')}
          </bdi>
          .
          {isPlanned &&
            ' Unless everybody may see your island, the address also gets six random characters, so that nobody can guess it.'}
        </span>
      )}
    </p>
  )
}
