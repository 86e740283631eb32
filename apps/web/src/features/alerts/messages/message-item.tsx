import type { AlertDelivery, AlertMessage } from '@astropelago/contract/alerts'
import { useState } from 'react'
import { Link } from 'react-router'
import CircleCheck from 'virtual:icon/circle-check'
import CircleX from 'virtual:icon/circle-x'
import Hourglass from 'virtual:icon/hourglass'
import { Button } from '../../../ui/button.tsx'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { LocalTime } from '../../../ui/local-time.tsx'

/** A message about many devices has a line for each. */
const linesAtFirst = 5

/** One message, and its result at each channel. */
export function MessageItem({ message }: { message: AlertMessage }) {
  const { at, title, lines, url, deliveries } = message
  const [showsAll, setShowsAll] = useState(false)
  // A button that hides a single line would take up a line itself.
  const isLong = lines.length > linesAtFirst + 1
  const shown = isLong && !showsAll ? lines.slice(0, linesAtFirst) : lines
  return (
    <li className="flex min-w-0 flex-col gap-3 border-b border-line py-4 last:border-0 lg:flex-row lg:gap-8">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-4">
          <h3 dir="auto" className="min-w-0 text-sm font-medium wrap-anywhere">
            {title}
          </h3>
          <span className="text-xs text-muted">
            <LocalTime at={at} />
          </span>
        </div>
        {/* Each line has its own text direction. */}
        <p className="text-sm wrap-anywhere whitespace-pre-line text-muted [unicode-bidi:plaintext]">
          {shown.join('\n')}
        </p>
        <div className="flex flex-wrap gap-x-5 gap-y-1">
          {isLong && (
            <Button
              variant="link"
              size="sm"
              aria-expanded={showsAll}
              onClick={() => setShowsAll(!showsAll)}
            >
              {showsAll ? 'Show fewer lines' : `Show all ${lines.length} lines`}
            </Button>
          )}
          <Link
            to={pathOf(url)}
            aria-label={`Look there: ${title}`}
            className={buttonStyles({ variant: 'link', size: 'sm' })}
          >
            Look there
          </Link>
        </div>
      </div>
      <ul aria-label={`Where to: ${title}`} className="flex min-w-0 flex-1 flex-col gap-2">
        {deliveries.map((delivery) => (
          <Delivery key={delivery.channel.id} delivery={delivery} />
        ))}
      </ul>
    </li>
  )
}

function Delivery({ delivery }: { delivery: AlertDelivery }) {
  const { channel, state, tries, triedAt, nextTryAt, answer } = delivery
  const Icon = state === 'sent' ? CircleCheck : state === 'failed' ? CircleX : Hourglass
  const look = state === 'sent' ? 'text-accent' : state === 'failed' ? 'text-danger' : 'text-muted'
  return (
    <li className="flex min-w-0 items-start gap-2 text-xs text-muted">
      <Icon aria-hidden className={`mt-0.5 size-3.5 shrink-0 ${look}`} />
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="wrap-anywhere">
          {state === 'sent' ? 'Sent to ' : state === 'failed' ? 'Did not reach ' : 'On its way to '}
          <bdi className="font-medium text-ink">{channel.name}</bdi>
          {triedAt !== null && (
            <>
              , <LocalTime at={triedAt} />
            </>
          )}
        </span>
        {answer !== null && <bdi className="wrap-anywhere">{answer}</bdi>}
        {state === 'waiting' && tries > 0 && nextTryAt !== null && (
          <span>
            {timesOf(tries)} so far, again at <LocalTime at={nextTryAt} />
          </span>
        )}
        {state === 'failed' && <span>Given up after {timesOf(tries).toLowerCase()}</span>}
      </span>
    </li>
  )
}

function timesOf(tries: number): string {
  return tries === 1 ? 'One try' : `${tries} tries`
}

/** Messages link only to pages of this site. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}
