import { usePageTitle } from '../../lib/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'

export function AccountPage() {
  usePageTitle('Account')
  return <PageHeader title="Account" />
}
