import type { AuditEntry } from '@astropelago/contract/audit'
import { Link } from 'react-router'
import { Table, TableCell, TableRow } from '../../../ui/table.tsx'
import { useMediaQuery } from '../../../ui/use-media-query.ts'
import { AtTime } from '../at-time.tsx'
import { paths } from '../../../paths.ts'

const columns = [
  { name: 'When' },
  { name: 'Who' },
  { name: 'What' },
  { name: 'To whom or what' },
  { name: 'More' },
]

/** A table, or stacked lines if there is no room for a table. */
export function AuditEntries({ entries }: { entries: readonly AuditEntry[] }) {
  const hasRoom = useMediaQuery('(min-width: 64rem)')
  if (!hasRoom) {
    return (
      <ul aria-label="Audit log" className="flex flex-col">
        {entries.map((entry) => (
          <li
            key={entry.number}
            className="flex min-w-0 flex-col gap-0.5 border-b border-line py-3 text-sm first:pt-0 last:border-0"
          >
            <p className="text-xs text-muted">
              <AtTime at={entry.at} />
            </p>
            <p className="wrap-anywhere">
              <span className="font-medium">{entry.action}</span> by {entry.actor}
              {entry.subject !== null && (
                <>
                  {': '}
                  <Subject subject={entry.subject} />
                </>
              )}
            </p>
            <More entry={entry} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <Table caption="Audit log" columns={columns}>
      {entries.map((entry) => (
        <TableRow key={entry.number}>
          <TableCell className="w-44 whitespace-nowrap text-muted">
            <AtTime at={entry.at} />
          </TableCell>
          <TableCell className="min-w-44 wrap-anywhere">{entry.actor}</TableCell>
          <TableCell className="font-medium whitespace-nowrap">{entry.action}</TableCell>
          <TableCell className="min-w-40 wrap-anywhere">
            <Subject subject={entry.subject} />
          </TableCell>
          <TableCell className="min-w-48">
            <More entry={entry} />
          </TableCell>
        </TableRow>
      ))}
    </Table>
  )
}

const userPrefix = 'user:'

function Subject({ subject }: { subject: string | null }) {
  if (subject === null) return <span className="text-muted">–</span>
  if (!subject.startsWith(userPrefix)) return subject
  return (
    <Link
      to={paths.mothership('users', { user: subject.slice(userPrefix.length) })}
      className="text-accent underline decoration-transparent underline-offset-4 hover:decoration-current"
    >
      {subject}
    </Link>
  )
}

/** The outcome, unless it is a plain success, and further details. */
function More({ entry: { outcome, code, details } }: { entry: AuditEntry }) {
  const noted = Object.entries(details ?? {}).map(([name, value]) => `${name}: ${value}`)
  const parts = [
    ...(outcome === 'refused' ? [`refused${code === null ? '' : ` (${code})`}`] : []),
    ...(outcome === 'begun' ? ['begun; how it ended is not known'] : []),
    ...noted,
  ]
  if (parts.length === 0) return null
  return <p className="text-xs wrap-anywhere text-muted">{parts.join(' · ')}</p>
}
