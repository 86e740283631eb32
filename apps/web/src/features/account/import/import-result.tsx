import type { ImportReport } from '@astropelago/contract/devices-csv'
import { useEffect, useRef } from 'react'
import Download from 'virtual:icon/download'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'

interface ImportResultProps {
  report: ImportReport
  onClose: () => void
}

/** The result, with the new tokens, which are shown only once. */
export function ImportResult({ report: { created, updated, tokens }, onClose }: ImportResultProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The focused button is gone.
  useEffect(() => heading.current?.focus(), [])
  const done = [created > 0 && `${created} registered`, updated > 0 && `${updated} changed`]
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <div className="flex flex-col gap-0.5">
        <h3 ref={heading} tabIndex={-1} className="rounded-mark font-medium">
          Imported: {done.filter(Boolean).join(', ')}
        </h3>
        {tokens !== null && (
          <p className="text-sm text-muted">
            Save the tokens now. They can’t be shown again after you close this.
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        {tokens !== null && (
          <>
            <Button size="sm" onClick={() => saveCsv('device-tokens.csv', tokens)}>
              <Download aria-hidden />
              Save the tokens
            </Button>
            <CopyButton text={tokens} label="all tokens" />
          </>
        )}
        <Button size="sm" variant={tokens === null ? 'default' : 'outline'} onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  )
}

/** Makes the browser save text as a file. */
function saveCsv(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
