import { Link } from 'react-router'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { PageHeader } from '../../ui/page-header.tsx'

export function DashboardPage() {
  usePageTitle('Dashboard')
  const { username } = useUser()
  return (
    <PageHeader
      title="Dashboard"
      lead={`Welcome back, ${username}. Your devices are on the Account page; a new one comes online in four steps.`}
    >
      <Link to={paths.connect()} className={buttonStyles()}>
        Connect a device
      </Link>
      <Link to={paths.account()} className={buttonStyles({ variant: 'outline' })}>
        Account
      </Link>
    </PageHeader>
  )
}
