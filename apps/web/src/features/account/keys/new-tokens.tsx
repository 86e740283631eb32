import type { renewDeviceTokens } from '@astropelago/contract/devices'
import type { AnswerBody } from '@astropelago/contract/route'
import { useEffect, useRef } from 'react'
import { CopyButton } from '../../../ui/copy-button.tsx'

type RenewedTokens = AnswerBody<typeof renewDeviceTokens>

/** The new tokens, shown only once. */
export function NewTokens({ tokens }: { tokens: RenewedTokens }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The focused element is gone, and saving the tokens is the next thing to do.
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
            : 'Copy them now. They are shown only once.'}
        </h3>
        {tokens.length > 1 && <CopyButton text={all} label="all tokens" />}
      </div>
      {tokens.length > 0 && (
        <ul aria-label="New device tokens" className="flex min-w-0 flex-col border-y border-line">
          {tokens.map(({ id, deviceLabel, label, token }) => (
            <li
              key={id}
              className="flex min-w-0 items-center justify-between gap-4 border-b border-line py-3 last:border-0"
            >
              <div className="flex min-w-0 flex-col gap-1 text-sm">
                <span className="wrap-anywhere">
                  <bdi className="font-medium">{deviceLabel}</bdi>
                  {label !== null && <bdi className="pl-2 text-muted">{label}</bdi>}
                </span>
                <code className="font-mono text-xs break-all">{token}</code>
              </div>
              <CopyButton text={token} label={`the token of ${deviceLabel}`} variant="ghost" />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
