import {
  type Deployment,
  downloadPages,
  removePages,
  setLivePages,
} from '@astropelago/contract/hosted-pages'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import Download from 'virtual:icon/download'
import { formatSize } from '../../../language/format.ts'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { routeUrl } from '../../../lib/fetch-answer.ts'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { LocalTime, shortTime, useToday } from '../../../ui/local-time.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { usePagesChanged } from './pages-query.ts'

const sources: Readonly<Record<Deployment['source'], string>> = {
  upload: t`uploaded`,
  editor: t`from the editor`,
  template: t`a template`,
}

/** 'Nov 27, 10:21 · uploaded · 12 files, 3.2 MB' */
export function factsOf({ createdAt, source, fileCount, bytes }: Deployment) {
  const files = plural(fileCount, { one: '# file', other: '# files' })
  return (
    <>
      <LocalTime at={createdAt} />
      {` · ${sources[source]} · ${files}, ${formatSize(bytes)}`}
    </>
  )
}

interface DeploymentProps {
  /** The island's. */
  id: string
  deployment: Deployment
}

export function DeploymentItem({ id, deployment }: DeploymentProps) {
  const { isLive, isInReview, createdAt } = deployment
  const at = shortTime(Date.parse(createdAt), useToday())
  const changed = usePagesChanged()
  const showToast = useToast()
  const bringing = useMutation({
    mutationFn: () => call(setLivePages, { params: { id }, body: { deployment: deployment.id } }),
    onSuccess: async () => {
      await changed(id)
      showToast({ title: t`Visitors see these pages again` })
    },
  })
  return (
    <li className="flex min-w-0 flex-col gap-2 border-b border-line py-3 last:border-0">
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p data-numeric className="min-w-0 text-sm text-ink">
          {factsOf(deployment)}
          {(isLive || isInReview) && (
            <span className="ms-2 rounded-full bg-island-soft px-2 py-0.5 text-xs whitespace-nowrap text-ink">
              {isInReview ? t`An operator looks at it` : t`Live`}
            </span>
          )}
        </p>
        <div className="flex flex-wrap gap-2">
          {!isLive && !isInReview && (
            <Button
              variant="outline"
              size="sm"
              busy={bringing.isPending}
              aria-label={t`Bring back the pages of ${at}`}
              onClick={() => bringing.mutate()}
            >
              <Trans>Bring back</Trans>
            </Button>
          )}
          {!isLive && <DownloadLink id={id} deployment={deployment} name={t`Download ${at}`} />}
        </div>
      </div>
      <FormError>{failureText(bringing.error)}</FormError>
    </li>
  )
}

export function DownloadLink({ id, deployment, name }: DeploymentProps & { name?: string }) {
  const address = routeUrl(downloadPages, { params: { id }, query: { of: deployment.id } })
  return (
    <a
      href={address}
      download
      aria-label={name}
      className={buttonStyles({ variant: 'ghost', size: 'sm' })}
    >
      <Download aria-hidden />
      <Trans>Download as a zip</Trans>
    </a>
  )
}

export function RemoveAll({ id }: { id: string }) {
  const changed = usePagesChanged()
  const showToast = useToast()
  const removing = useMutation({
    mutationFn: () => call(removePages, { params: { id } }),
    onSuccess: async () => {
      showToast({ title: t`All pages are deleted` })
      await changed(id)
    },
  })
  return (
    <div className="flex flex-col items-start gap-3">
      <AskFirst
        label={t`Delete all pages`}
        keep={t`Keep them`}
        confirm={t`Delete all`}
        busy={removing.isPending}
        onConfirm={() => removing.mutate()}
      >
        <Trans>
          All deployments and the changes in the editor are deleted for good, and nobody can enter
          until there are new pages.
        </Trans>
      </AskFirst>
      <FormError>{failureText(removing.error)}</FormError>
    </div>
  )
}
