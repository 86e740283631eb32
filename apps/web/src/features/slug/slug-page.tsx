import { useEffect } from 'react'
import { Navigate, useParams } from 'react-router'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { buildEnvironment } from './build-environment.ts'
import { slugDestination } from './slug-destination.ts'

/** A known slug leaves for its place; any other leads to Discover. */
export function SlugPage() {
  const { slug = '' } = useParams()
  const { protocol, host } = window.location
  const destination = slugDestination(slug, {
    protocol,
    host,
    tavernUrl: buildEnvironment.tavernUrl,
  })
  const address = destination.kind === 'outside' ? destination.address : undefined
  usePageTitle(address === undefined ? undefined : 'On the way')

  useEffect(() => {
    if (address !== undefined) window.location.replace(address)
  }, [address])

  if (destination.kind === 'no-subdomains') {
    return <Navigate to={paths.discoverWithoutTavern()} replace />
  }
  if (destination.kind === 'unknown') return <Navigate to={paths.discover()} replace />
  return (
    <PageHeader
      title="On the way"
      lead={
        <>
          Taking you to{' '}
          <a href={address} className="break-all text-accent underline underline-offset-4">
            {address}
          </a>
        </>
      }
    />
  )
}
