import { usePageTitle } from '../../lib/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'

export function ConnectPage() {
  usePageTitle('Connect')
  return <PageHeader title="Connect" />
}
