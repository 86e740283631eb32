import type { renewDeviceTokens } from '@astropelago/contract/devices'
import type { AnswerBody } from '@astropelago/contract/route'
import { useEffect, useRef } from 'react'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Table, TableCell, TableRow } from '../../../ui/table.tsx'

type RenewedTokens = AnswerBody<typeof renewDeviceTokens>

const columns = [{ name: 'Device' }, { name: 'Token' }, { name: 'Copy', hidden: true }]

/** The new tokens, this once. */
export function NewTokens({ tokens }: { tokens: RenewedTokens }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // What had the focus is gone, and this is what there is to do now.
  useEffect(() => heading.current?.focus(), [])
  const all = tokens
    .map(({ deviceLabel, label, token }) => [deviceLabel, label ?? '', token].join('\t'))
    .join('\n')
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h3 ref={heading} tabIndex={-1} className="rounded-mark font-medium">
          {tokens.length === 0
            ? 'There were no tokens to renew.'
            : 'Copy them now: they are shown this once.'}
        </h3>
        {tokens.length > 1 && <CopyButton text={all} label="all tokens" />}
      </div>
      {tokens.length > 0 && (
        <Table caption="New device tokens" columns={columns}>
          {tokens.map(({ id, deviceLabel, label, token }) => (
            <TableRow key={id}>
              <TableCell className="min-w-32">
                <bdi className="font-medium wrap-anywhere">{deviceLabel}</bdi>
                {label !== null && (
                  <bdi className="block text-xs text-muted wrap-anywhere">{label}</bdi>
                )}
              </TableCell>
              <TableCell>
                <code className="font-mono text-xs whitespace-nowrap">{token}</code>
              </TableCell>
              <TableCell className="w-24 text-right">
                <CopyButton text={token} label={`the token of ${deviceLabel}`} variant="ghost" />
              </TableCell>
            </TableRow>
          ))}
        </Table>
      )}
    </div>
  )
}
