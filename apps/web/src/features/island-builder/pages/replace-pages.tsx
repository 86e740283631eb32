import { deployTemplate, type HostedPages, templateNames } from '@astropelago/contract/hosted-pages'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatSize } from '../../../language/format.ts'
import { call } from '../../../lib/call.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { takeFocus } from '../../../ui/focus.ts'
import { useToast } from '../../../ui/use-toast.ts'
import { ChoiceTile, tileStyles } from './choice-tile.tsx'
import { ChooseFiles } from './choose-files.tsx'
import type { ChosenFiles } from './chosen-files.ts'
import { type Deployed, pagesFailure } from './deploy-files.ts'
import { liveDeployment, usePagesChanged } from './pages-query.ts'
import { templates } from './template-words.ts'
import { DeployProgress, useDeploying } from './use-deploying.tsx'

interface ReplacePagesProps {
  id: string
  pages: HostedPages
}

/** Publishes other files or a template in place of the live pages. */
export function ReplacePages({ id, pages }: ReplacePagesProps) {
  return (
    <>
      <SendFiles id={id} limits={pages.limits} />
      <Templates id={id} hasPages={liveDeployment(pages) !== undefined} />
    </>
  )
}

function usePublished(id: string) {
  const changed = usePagesChanged()
  const showToast = useToast()
  return async ({ deployment }: Deployed) => {
    await changed(id)
    showToast({
      title: deployment.isLive ? t`Visitors see the new pages` : t`The new pages are here`,
    })
  }
}

function SendFiles({ id, limits }: { id: string; limits: HostedPages['limits'] }) {
  const [chosen, setChosen] = useState<ChosenFiles>()
  const deploying = useDeploying()
  const onPublished = usePublished(id)
  const sending = useMutation({
    mutationFn: (files: ChosenFiles) => deploying.deploy(id, files),
    onSuccess: async (deployed) => {
      setChosen(undefined)
      await onPublished(deployed)
    },
  })
  const { leftOut = [] } = sending.data ?? {}
  const most = formatSize(limits.bytes)
  return (
    <Card
      title={t`Send your files`}
      description={
        <Trans>
          They replace all pages at once. At most{' '}
          <Plural value={limits.files} one="# file" other="# files" /> and {most} in all.
        </Trans>
      }
    >
      <ChooseFiles
        chosen={chosen}
        isBusy={sending.isPending}
        onChoose={(files) => {
          sending.reset()
          setChosen(files)
        }}
      />
      <DeployProgress progress={deploying.progress} onCancel={deploying.cancel} />
      <FormError>{pagesFailure(sending.error)}</FormError>
      {chosen !== undefined && deploying.progress === undefined && (
        <Button
          ref={takeFocus}
          size="sm"
          className="self-start"
          busy={sending.isPending}
          onClick={() => sending.mutate(chosen)}
        >
          <Trans>Publish these files</Trans>
        </Button>
      )}
      {leftOut.length > 0 && (
        <div className="flex min-w-0 flex-col gap-1 text-sm text-muted">
          <p>
            <Trans>Left out, because visitors don’t need them:</Trans>
          </p>
          <ul className="max-h-40 list-disc overflow-y-auto ps-5 font-mono text-xs">
            {leftOut.map((path) => (
              <li key={path} className="wrap-anywhere">
                <bdi>{path}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  )
}

function Templates({ id, hasPages }: { id: string; hasPages: boolean }) {
  const [asked, setAsked] = useState<(typeof templateNames)[number]>()
  const onPublished = usePublished(id)
  const choosing = useMutation({
    mutationFn: (template: (typeof templateNames)[number]) =>
      call(deployTemplate, { params: { id }, body: { template } }),
    onSuccess: async (deployed) => {
      setAsked(undefined)
      await onPublished(deployed)
    },
  })
  const name = asked === undefined ? '' : templates[asked].name
  return (
    <Card
      title={t`Choose a template`}
      description={t`A finished place to begin with. You can change each word of it.`}
    >
      <ul className="grid grid-cols-2 gap-3 md:grid-cols-3">
        {templateNames.map((template) => (
          <li key={template} className="min-w-0">
            <button
              type="button"
              aria-pressed={template === asked}
              className={`${tileStyles} aria-pressed:border-accent`}
              onClick={() => {
                choosing.reset()
                setAsked(template)
              }}
            >
              <ChoiceTile choice={templates[template]} />
            </button>
          </li>
        ))}
      </ul>
      {asked !== undefined && (
        <fieldset className="flex w-full flex-wrap items-center gap-3 rounded-control bg-raised p-3 text-sm">
          <legend className="sr-only">{name}</legend>
          <span className="min-w-48 flex-1">
            {hasPages
              ? t`“${name}” replaces the live pages. You can bring them back.`
              : t`“${name}” becomes the pages of this island.`}
          </span>
          <Button variant="outline" size="sm" onClick={() => setAsked(undefined)}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            // A new one for each template, so that it takes the focus.
            key={asked}
            ref={takeFocus}
            size="sm"
            busy={choosing.isPending}
            onClick={() => choosing.mutate(asked)}
          >
            <Trans>Use it</Trans>
          </Button>
        </fieldset>
      )}
      <FormError>{pagesFailure(choosing.error)}</FormError>
    </Card>
  )
}
