import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { formatNumber, formatSize } from '../../../language/format.ts'
import { Button } from '../../../ui/button.tsx'
import { LiveRegion } from '../../../ui/live-region.tsx'
import type { ChosenFiles } from './chosen-files.ts'
import { type Deployed, deployFiles, type Progress } from './deploy-files.ts'
import { hostedPagesQuery } from './pages-query.ts'

/** Packs and sends files, with progress. Leaving the page cancels it. */
export function useDeploying() {
  const client = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const running = useRef<AbortController>(undefined)
  const cancel = () => running.current?.abort()
  useEffect(() => () => running.current?.abort(), [])
  const deploy = async (id: string, chosen: ChosenFiles): Promise<Deployed> => {
    const pages = await client.ensureQueryData(hostedPagesQuery(id))
    running.current = new AbortController()
    const { signal } = running.current
    try {
      return await deployFiles(id, chosen, pages, { signal, onProgress: setProgress })
    } finally {
      setProgress(undefined)
    }
  }
  return { progress, deploy, cancel }
}

interface DeployProgressProps {
  progress: Progress | undefined
  onCancel: () => void
}

export function DeployProgress({ progress, onCancel }: DeployProgressProps) {
  const labelId = useId()
  return (
    <>
      <LiveRegion>{progress && announcements[progress.step]}</LiveRegion>
      {progress && (
        <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-control bg-raised p-4">
          <div className="flex min-w-0 flex-1 basis-48 flex-col gap-2">
            <p id={labelId} data-numeric className="text-sm text-ink">
              {progressText(progress)}
            </p>
            <progress
              aria-labelledby={labelId}
              // Without a value while nobody knows how long it takes.
              {...(progress.step !== 'storing' && { max: progress.of, value: progress.done })}
              className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-hover accent-accent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent"
            />
          </div>
          <Button variant="outline" size="sm" onClick={onCancel}>
            <Trans>Cancel</Trans>
          </Button>
        </div>
      )}
    </>
  )
}

/** For screen readers, without figures. */
const announcements: Readonly<Record<Progress['step'], string>> = {
  packing: t`Packing the files…`,
  sending: t`Sending the files…`,
  storing: t`Everything is sent. The server unpacks the files…`,
}

function progressText(progress: Progress): string {
  if (progress.step === 'storing') return announcements.storing
  const { step, done, of } = progress
  return step === 'packing'
    ? t`Packing: ${formatNumber(done)} of ${formatNumber(of)} files`
    : t`Sending: ${formatSize(done)} of ${formatSize(of)}`
}
