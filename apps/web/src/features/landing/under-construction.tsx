import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, useSyncExternalStore } from 'react'
import * as v from 'valibot'
import X from 'virtual:icon/x'
import { storedValue } from '../../lib/stored-value.ts'

const neverChanges = () => () => undefined

/** In the HTML for everyone. index.html hides it before the first paint if it was dismissed. */
export function UnderConstruction() {
  const wasDismissed = useSyncExternalStore(
    neverChanges,
    () => dismissedNotice.read() ?? false,
    () => false,
  )
  const [isDismissed, setDismissed] = useState(false)
  if (wasDismissed || isDismissed) return null

  function dismiss() {
    // The focused button disappears with the banner, so keyboard users continue at the top of the page's
    // content.
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
    setDismissed(true)
    dismissedNotice.write(true)
  }

  return (
    <aside
      aria-label={t`Under Construction`}
      className="under-construction border-b border-line bg-panel"
    >
      <div className="mx-auto flex w-full max-w-6xl items-center gap-3 px-4 py-2 text-xs sm:px-6 sm:text-sm">
        <p className="min-w-0 flex-1 text-muted">
          <Trans>
            <strong className="font-medium text-ink">Under Construction.</strong> An early prototype
            in active development: expect glitches and data resets.
          </Trans>
        </p>
        <button
          type="button"
          aria-label={t`Dismiss`}
          onClick={dismiss}
          className="-me-2 flex size-8 shrink-0 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      </div>
    </aside>
  )
}

/** index.html reads the same entry. A new banner text needs a new version in both places. */
const dismissedNotice = storedValue('astropelago.under-construction-dismissed.v1', v.literal(true))
