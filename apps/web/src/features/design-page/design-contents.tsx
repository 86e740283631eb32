import Satellite from 'virtual:icon/satellite'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { DeviceLink } from '../../devices/device-link.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorLine } from '../../ui/error-line.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Table, TableCell, TableRow } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { DesignRow, DesignSection } from './design-section.tsx'

const statuses = ['online', 'offline', 'unknown'] as const
const longLabel = 'A label of sixty-four characters, which has to stay inside its b'

/** Components that show content: full, empty, loading and failed. */
export function DesignContents() {
  return (
    <>
      <DesignSection title="Status and people">
        <DesignRow>
          {statuses.map((status) => (
            <StatusBadge key={status} status={status} />
          ))}
          <Avatar username="nova" image={null} hue={null} />
          <Avatar username="nova" image={null} hue={300} size="large" />
          <DeviceLink link="https://nova.example" />
          <DeviceLink link={null} />
        </DesignRow>
      </DesignSection>
      <DesignSection title="Cards, tables and tabs">
        <Card>
          <CardHeader title="A card" description="With a description and an action.">
            <Button variant="outline" size="sm">
              Action
            </Button>
          </CardHeader>
          <Table
            caption="Devices"
            columns={[{ name: 'Label' }, { name: 'Lat', numeric: true }, { name: 'Status' }]}
          >
            {statuses.map((status) => (
              <TableRow key={status}>
                <TableCell>{longLabel}</TableCell>
                <TableCell numeric>-37.814</TableCell>
                <TableCell>
                  <StatusBadge status={status} />
                </TableCell>
              </TableRow>
            ))}
          </Table>
        </Card>
        <Tabs
          label="Systems"
          tabs={[
            { name: 'Linux', content: <CodeBlock label="command" text="crontab -e" /> },
            { name: 'macOS', content: <p>The second tab’s content.</p> },
          ]}
        />
      </DesignSection>
      <DesignSection title="Empty, loading, failed">
        <EmptyState icon={<Satellite aria-hidden />} title="No devices yet">
          Register one, and it stands here.
        </EmptyState>
        <DesignRow>
          <Spinner />
          <Skeleton className="h-4 w-64 rounded-mark" />
        </DesignRow>
        <ErrorLine onRetry={() => undefined}>The devices could not be loaded.</ErrorLine>
        <ErrorLine onRetry={() => undefined} busy>
          The devices could not be loaded.
        </ErrorLine>
      </DesignSection>
    </>
  )
}
