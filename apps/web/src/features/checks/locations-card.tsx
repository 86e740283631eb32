import {
  type CheckProof,
  getCheckProof,
  proofPath,
  proofRecord,
  proveCheck,
} from '@astropelago/contract/check-locations'
import type { LocationHistory, OwnCheck, PublicCheck } from '@astropelago/contract/checks'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { failureText } from '../../lib/failure-text.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { LocalTime } from '../../ui/local-time.tsx'
import { Table, TableCell, TableRow } from '../../ui/table.tsx'
import { CheckBadge } from './check-mark.tsx'
import { checkHistoryQuery } from './check-queries.ts'
import { tookText } from './check-words.ts'
import { slotOf } from './response-slots.ts'

interface LocationsCardProps {
  check: PublicCheck
  /** Null unless it is the viewer's own. */
  own: OwnCheck | null
}

/** From where others look, what they found, and how to let them. */
export function LocationsCard({ check: { id, kind }, own }: LocationsCardProps) {
  const history = useInfiniteQuery(checkHistoryQuery(id))
  const locations = history.data?.pages[0]?.locations ?? []
  if (kind === 'push' || kind === 'ping' || own?.device != null) return null
  if (own === null && locations.length === 0) return null
  return (
    <Card
      className="items-start [&>div]:self-stretch"
      title={t`From elsewhere`}
      description={t`Members’ devices can look as well. A check goes down if more than half of those who look can’t reach it, this server among them.`}
    >
      {locations.length > 0 && <LocationTable locations={locations} />}
      {own !== null && <Proof checkId={id} />}
    </Card>
  )
}

function LocationTable({ locations }: { locations: readonly LocationHistory[] }) {
  return (
    <Table
      caption={t`Locations in the last 24 hours`}
      columns={[
        { name: t`Location` },
        { name: t`Status` },
        { name: t`Typical`, numeric: true },
        { name: t`95% within`, numeric: true },
        { name: t`Failures`, numeric: true },
      ]}
    >
      {locations.map(({ id, name, status, samples }) => {
        const { p50Ms, p95Ms, failures } = slotOf(samples)
        return (
          <TableRow key={id}>
            <TableCell>
              <span dir="auto" className="wrap-anywhere">
                {name ?? t`No region given`}
              </span>
            </TableCell>
            <TableCell>
              <CheckBadge state={status} />
            </TableCell>
            <TableCell numeric>{p50Ms === null ? '–' : tookText(p50Ms)}</TableCell>
            <TableCell numeric>{p95Ms === null ? '–' : tookText(p95Ms)}</TableCell>
            <TableCell numeric>{failures}</TableCell>
          </TableRow>
        )
      })}
    </Table>
  )
}

/** Asks for nothing until it is wanted: opening a proof keeps it asked about every day. */
function Proof({ checkId: id }: { checkId: string }) {
  const opening = useMutation({ mutationFn: () => call(getCheckProof, { params: { id } }) })
  const proving = useMutation({ mutationFn: () => call(proveCheck, { params: { id } }) })
  const proof = proving.data ?? opening.data
  const error = proving.error ?? opening.error
  return (
    <>
      {proof === undefined ? (
        <Button
          variant="outline"
          size="sm"
          busy={opening.isPending}
          onClick={() => opening.mutate()}
        >
          <Trans>Let others look</Trans>
        </Button>
      ) : (
        <>
          <HowToProve proof={proof} />
          <div className="flex flex-wrap items-center gap-3">
            <Button
              variant="outline"
              size="sm"
              busy={proving.isPending}
              onClick={() => proving.mutate()}
            >
              <Trans>Look for it now</Trans>
            </Button>
            <output className="text-sm text-muted">
              <ProofState proof={proof} isAsked={proving.isSuccess} />
            </output>
          </div>
        </>
      )}
      <FormError>{error === null ? undefined : failureText(error)}</FormError>
    </>
  )
}

function HowToProve({ proof: { place, text } }: { proof: CheckProof }) {
  const host = place.slice(0, place.lastIndexOf(':'))
  const file = `${host}${proofPath}`
  const record = `${proofRecord}.${host}`
  return (
    <div className="flex w-full min-w-0 flex-col gap-3 text-sm text-muted">
      <p>
        <Trans>
          Others only look at an address that is yours. Prove it with this line, in a file or in a
          TXT record. It is looked for every day.
        </Trans>
      </p>
      <CodeBlock label={t`Line`} text={text} />
      <ul className="flex list-disc flex-col gap-1.5 ps-5 wrap-anywhere">
        <li>
          <Trans>
            The file: <span className="text-ink">{file}</span>
          </Trans>
        </li>
        <li>
          <Trans>
            The record: <span className="text-ink">{record}</span>
          </Trans>
        </li>
      </ul>
    </div>
  )
}

function ProofState({ proof, isAsked }: { proof: CheckProof; isAsked: boolean }) {
  if (proof.endsAt !== null) {
    return (
      <Trans>
        Found. Others may look until <LocalTime at={proof.endsAt} />.
      </Trans>
    )
  }
  return isAsked ? <Trans>It was not there.</Trans> : <Trans>Not found yet.</Trans>
}
